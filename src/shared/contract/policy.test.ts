import { expect, test } from "vitest";

import { parsePolicy, policyName } from "./policy.ts";

test.each([
  ["llm", "llm"],
  ["rules", "rules:default"],
  ["rules:superpowers", "rules:superpowers"],
  ["rules:parallel-unless-blocked", "rules:parallel-unless-blocked"],
  ["template:review-panel", "template:review-panel"],
])("%s is the policy %s", (text, name) => {
  const policy = parsePolicy(text);
  expect(policy && policyName(policy)).toBe(name);
});

test.each([
  "",
  "rule",
  "rules:",
  "rules:mine",
  "llm:default",
  "template",
  "template:",
  "template:../x",
  "template:A",
  "rules:default:x",
])("%j is none", (text) => {
  expect(parsePolicy(text)).toBeNull();
});
