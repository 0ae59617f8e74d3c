import { expect, test } from "vitest";

import { slugOf } from "./slug.ts";

test("a slug is letters and digits joined by dashes, never begins or ends with one, and is as long as it may be", () => {
  const texts = ["Find out why payments are charged", "  Über-Prüfung: SQL & Co. ", "…", "ab-cd"];
  expect(texts.map((text) => slugOf(text, 12))).toEqual(["find-out-why", "uber-prufung", "", "ab-cd"]);
  expect(slugOf("ab-cd", 3)).toBe("ab");
});
