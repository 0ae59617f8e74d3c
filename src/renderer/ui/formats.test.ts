import { describe, expect, it } from "vitest";

import { countOf, folderName, formatAge, formatCount, formatDuration, formatMoney } from "./formats.ts";

describe("formats", () => {
  it("call a folder by the last part of its path, on any system", () => {
    expect(["/home/ada/till/", "C:\\work\\till", "till", "/"].map(folderName)).toEqual(["till", "till", "till", "/"]);
  });

  it("write an age in its largest unit, then as a day", () => {
    const now = new Date(2026, 10, 30, 14, 0).getTime();
    const ages = [
      [2026, 10, 30, 14, 0],
      [2026, 10, 30, 13, 59],
      [2026, 10, 30, 13, 52],
      [2026, 10, 30, 0, 1],
      [2026, 10, 29, 23, 59],
      [2026, 10, 27, 9, 0],
      [2025, 10, 27, 9, 0],
    ] as const;
    expect(
      ages.map(([year, month, day, hour, minute]) =>
        formatAge(new Date(year, month, day, hour, minute).getTime(), now),
      ),
    ).toEqual(["0 s", "1 m", "8 m", "13 h", "yesterday", "27 Nov", "27 Nov 2025"]);
  });

  it("never write a negative age where two clocks disagree", () => {
    expect(formatAge(5_000, 0)).toBe("0 s");
  });

  it("write a duration in two units at most", () => {
    expect([400, 48_000, 193_000, 7_500_000].map(formatDuration)).toEqual(["0.4 s", "48 s", "3 m 13 s", "2 h 05 m"]);
  });

  it("write a count in three digits at most, at every border", () => {
    expect([0, 999, 1_000, 9_949, 9_950, 214_300, 999_499, 999_500, 1_210_000].map(formatCount)).toEqual([
      "0",
      "999",
      "1.0 k",
      "9.9 k",
      "10 k",
      "214 k",
      "999 k",
      "1.00 M",
      "1.21 M",
    ]);
  });

  it("do not write a small cost as nothing", () => {
    expect([0, 0.004, 0.99, 1.844].map(formatMoney)).toEqual(["$0.00", "$0.0040", "$0.99", "$1.84"]);
  });

  it("count one and many", () => {
    expect([countOf(1, "file"), countOf(2, "file"), countOf(0, "branch", "branches")]).toEqual([
      "1 file",
      "2 files",
      "0 branches",
    ]);
  });
});
