import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./commandLine.ts";

const unit = fc.constantFrom(..."ab1 \t'\"\\-=~:/.,^@%+#!é€$*".split(""));

describe("a command line that parses as words", () => {
  it("reaches a program as just these words", () => {
    const lines: string[] = [];
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (line) => {
        if (parseCommandLine(`printf ${line}`).kind === "argv") lines.push(line);
      }),
      { numRuns: 2000 },
    );
    // One shell for all of them: `show` prints its words, each ended by NUL, and a mark after the last.
    const script = ["show() { printf '%s\\0' \"$@\" END; }", ...lines.map((line) => `show x ${line}`)].join("\n");
    const printed = execFileSync("sh", ["-c", script], { encoding: "utf8", env: { HOME: "/home/of/nobody" } });
    const expected = lines.map((line) => {
      const parsed = parseCommandLine(`x ${line}`);
      return parsed.kind === "argv" ? [...parsed.argv, "END"].map((word) => `${word}\0`).join("") : "not words";
    });
    expect(lines.length).toBeGreaterThan(200);
    expect(printed).toBe(expected.join(""));
  });
});
