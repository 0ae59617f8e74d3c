import { expect, test } from "vitest";

import { fail, succeed } from "../../shared/lib/result.ts";
import { readPatch } from "./readPatch.ts";

const whole = "abcdefgh";
const pieces = async (after: number) => {
  const next = after + 3 < whole.length ? after + 3 : null;
  return succeed({ text: whole.slice(after, after + 3), next, total: whole.length });
};

test("a patch is put together from its pieces", async () => {
  expect(await readPatch(pieces)).toEqual(succeed(whole));
});

test("a patch of which one piece cannot be read is no patch", async () => {
  const failure = { code: "REPOSITORY_NOT_FOUND", message: "It is gone." };
  expect(await readPatch((after) => (after === 0 ? pieces(0) : Promise.resolve(fail(failure))))).toEqual(fail(failure));
});
