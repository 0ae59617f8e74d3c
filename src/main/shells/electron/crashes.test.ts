import { expect, test } from "vitest";

import { afterCrash } from "./crashes.ts";

const minute = 60_000;

test("[G01] a page that died is loaded again as it was", () => {
  expect(afterCrash([1_000])).toBe("same");
  expect(afterCrash([1_000, 1_000 + 6 * minute])).toBe("same");
});

test("[G02] what dies twice in a row is opened without anything in it, and after that the person is asked", () => {
  expect(afterCrash([0, minute])).toBe("safe");
  expect(afterCrash([0, minute, 2 * minute])).toBe("ask");
});
