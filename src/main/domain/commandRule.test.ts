import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMatched, judgeCommand, lineOf, ruleFor } from "./commandRule.ts";

describe("a rule for a command", () => {
  it.each([
    ["npm test", "npm test"],
    ["npm test", "  npm\ttest "],
    ["npm test", `npm 'test'`],
    [`git commit -m "a b"`, `git commit -m 'a b'`],
    ["npm test && npm run lint", "npm test && npm run lint"],
  ])("made of %j matches %j", (line, other) => {
    expect(isMatched(ruleFor(line), other)).toBe(true);
  });

  it.each([
    ["npm test", "npm test --watch"],
    ["npm test", "npm"],
    ["git log", "git log && rm -rf ~"],
    ["git log", "git log; rm x"],
    ["rm 'a b'", "rm a b"],
    ["npm test && npm run lint", "npm test  && npm run lint"],
    ["npm test && npm run lint", "npm test"],
    ["echo $HOME", "echo '$HOME'"],
  ])("made of %j does not match %j", (line, other) => {
    expect(isMatched(ruleFor(line), other)).toBe(false);
  });

  it("is shown as a line that it allows, and no other", () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab1 \t'\"\\-=~:/.,^@%+#!é€$*".split("")), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const rule = { kind: "argv", argv: ["tool", ...words] } as const;
        expect(ruleFor(lineOf(rule))).toEqual(rule);
      }),
    );
  });
});

describe("a command, before anybody is asked", () => {
  it.each([
    ["ask", true, false, "asks"],
    ["ask", true, true, "runs"],
    ["allow", true, false, "runs"],
    ["allow", false, false, "asks"],
    ["allow", false, true, "runs"],
    ["deny", true, true, "refused"],
  ] as const)("under %s, confined: %s, allowed before: %s: %s", (mode, isConfined, isAllowedBefore, verdict) => {
    expect(judgeCommand({ mode, isConfined, isAllowedBefore })).toBe(verdict);
  });
});
