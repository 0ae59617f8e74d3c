import { expect, test } from "vitest";

import { modelsWords } from "./modelsWords.ts";

test("models here answer or do not; those elsewhere are not asked", () => {
  const said = [
    { here: 0, all: 0, answering: 0 },
    { here: 0, all: 2, answering: 0 },
    { here: 2, all: 2, answering: null },
    { here: 1, all: 1, answering: 1 },
    { here: 2, all: 2, answering: 2 },
    { here: 2, all: 2, answering: 0 },
    { here: 3, all: 3, answering: 1 },
    { here: 2, all: 3, answering: 2 },
    { here: 2, all: 3, answering: 1 },
  ].map(modelsWords);
  expect(said).toEqual([
    "No model yet",
    "2 models elsewhere",
    "2 models",
    "1 model answers",
    "2 models answer",
    "0 of 2 models answer",
    "1 of 3 models answers",
    "2 answer, 1 elsewhere",
    "1 of 2 answers, 1 elsewhere",
  ]);
});
