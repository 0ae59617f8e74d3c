import { describe, expect, it } from "vitest";
import { bestPaths } from "./pathMatch.ts";

const paths = ["README.md", "src/payments.ts", "src/store/payments.test.ts", "docs/pay/index.md", "src/ledger.ts"];

describe("paths that somebody types", () => {
  it("come by name before by path, and short before long", () => {
    expect(bestPaths(paths, "pay", 4)).toEqual([
      "docs/pay/",
      "src/payments.ts",
      "src/store/payments.test.ts",
      "docs/pay/index.md",
    ]);
  });

  it("are found by letters that only follow one another", () => {
    expect(bestPaths(paths, "sldg", 5)).toEqual(["src/ledger.ts"]);
  });

  it("are those at the top while nothing is typed", () => {
    expect(bestPaths(paths, "", 2)).toEqual(["README.md", "src/"]);
  });
});
