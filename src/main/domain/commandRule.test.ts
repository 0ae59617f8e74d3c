import { describe, expect, it } from "vitest";
import { isMatched, ruleFor } from "./commandRule.ts";

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
});
