import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { projectRoot } from "../support/commandLineBuild.ts";
import { matrix } from "./matrix.ts";
import { parts } from "./parts.ts";

test("every row is held by something that exists, or says why it is not", () => {
  const held = new Set(parts.flatMap(({ part }) => part.rows));
  expect([
    matrix
      .filter(({ id, tests, open }) => !held.has(id) && tests.length === 0 && open === undefined)
      .map(({ id }) => id),
    matrix.flatMap(({ tests }) => tests.filter((file) => !existsSync(join(projectRoot, file)))),
    [...held].filter((id) => !matrix.some((row) => row.id === id)),
  ]).toEqual([[], [], []]);
});
