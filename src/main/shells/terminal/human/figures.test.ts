import { expect, it } from "vitest";

import { costWords, countOf, countWords, createClock, durationWords, tokenWords } from "./figures.ts";
import { noon } from "./story.ts";

it("durations grow with their unit", () => {
  expect([-5, 380, 48_900, 193_000, 7_500_000].map(durationWords)).toEqual([
    "0.0 s",
    "0.4 s",
    "48 s",
    "3 m 13 s",
    "2 h 05 m",
  ]);
});

it("counts keep the digits that matter", () => {
  expect([
    [0, 812, 8_040, 9_960, 213_700, 999_600, 1_210_000].map(countWords),
    tokenWords(1),
    countOf(1, "file"),
    countOf(2, "file"),
  ]).toEqual([["0", "812", "8.0 k", "10 k", "214 k", "1.00 M", "1.21 M"], "1 token", "1 file", "2 files"]);
});

it("a cost that is not known is not zero", () => {
  expect([null, 0, 0.0042, 1.839].map(costWords)).toEqual(["cost unknown", "$0.00", "$0.0042", "$1.84"]);
});

it("times are those of the zone", () => {
  const tokyo = createClock("Asia/Tokyo");
  expect([
    tokyo.time(noon),
    tokyo.moment(noon + 4 * 3_600_000),
    createClock("UTC").time(noon - 12 * 3_600_000),
  ]).toEqual(["21:00:00", "2026-12-01 01:00", "00:00:00"]);
});
