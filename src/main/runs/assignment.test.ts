import { expect, test } from "vitest";

import { newRunId, runIdOf } from "./assignment.ts";

test("a run's id has letters and digits, so that no word and no number is taken for one, nor it for them", () => {
  const made = Array.from({ length: 500 }, () => newRunId());
  const named = Array.from({ length: 500 }, (_, index) => runIdOf(`command-${index}`));
  const unlike = [...made, ...named].filter((id) => !/^(?=.*[a-z])(?=.*\d)[a-hjkmnp-z2-9]{10}$/.test(id));
  expect([unlike, new Set([...made, ...named]).size, runIdOf("command-7") === named[7]]).toEqual([[], 1_000, true]);
});
