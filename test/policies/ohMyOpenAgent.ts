// Oh My OpenAgent: side by side is the rule, and only a named blocker makes one wait.

import { expect } from "vitest";

import { calls, say, spawn, submit, wait } from "../support/workbenchStory.ts";
import { dataOf, requestsOf, type System, waits } from "./system.ts";

const sharing = { "shared-resources": { verdict: "met", evidence: "Both use the one test database." } };

export const ohMyOpenAgent: System = {
  title: "Oh My OpenAgent: the named blocker sits on the edge, and everything else runs side by side",
  task: "Atlas conducts",
  options: ["--policy", "rules:parallel-unless-blocked"],
  entries: [
    {
      match: /^Atlas conducts/,
      turns: [
        calls(
          spawn("Junior one"),
          spawn("Junior two"),
          spawn("Junior three", { dependsOn: [{ id: "subagent-1", because: "It needs the schema." }] }),
          spawn("Junior four", { independence: sharing }),
        ),
        wait(["subagent-1", "subagent-2", "subagent-3", "subagent-4"]),
        say("Four done."),
      ],
    },
    { match: /^Junior/, turns: [submit("the schema")] },
  ],
  check(shown, plain) {
    expect(dataOf(shown, "handoff.recorded").map(({ dependsOn }) => dependsOn)).toEqual([
      [],
      [],
      [{ id: "subagent-1", until: "completed", because: "It needs the schema." }],
      [],
    ]);
    expect([waits(shown, "DEPENDENCY"), new Set(waits(shown, "RULE"))]).toEqual([
      ["subagent-3"],
      new Set(["subagent-4"]),
    ]);
    const [three] = requestsOf(shown, "Junior three");
    expect(three?.firstUserMessage).toContain('<data source="result of subagent-1">');
    // Under plain llm nobody asks what they share.
    expect([waits(plain, "DEPENDENCY"), waits(plain, "RULE")]).toEqual([["subagent-3"], []]);
  },
};
