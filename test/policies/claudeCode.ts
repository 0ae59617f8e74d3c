// Claude Code's coordinator: it launches, messages and stops, understands what comes back, and has no working tool. No
// worker's word is relayed to another; what was done is verified by a fresh one.

import { expect } from "vitest";

import { call, calls, say, spawn, submit, wait } from "../support/workbenchStory.ts";
import { dataOf, errorCodes, offered, requestsOf, type System } from "./system.ts";

const found = "The charge is sent twice because the retry does not know that the first answer was only late.";

export const claudeCode: System = {
  title: "Claude Code: the coordinator has no working tool, and relays no worker's words",
  task: "Claude coordinates",
  options: ["--topology", "coordinator"],
  entries: [
    {
      match: /^Claude coordinates/,
      turns: [
        call("readFile", { path: "a.txt" }),
        calls(spawn("Claude researches")),
        wait(["subagent-1"]),
        calls(spawn(`Claude relays: ${found}`)),
        calls(spawn("Claude verifies in its own words", { role: "verifier", dependsOn: ["subagent-1"] })),
        wait(["subagent-2"]),
        say("Verified."),
      ],
    },
    { match: /^Claude researches/, turns: [submit(found)] },
    { match: /^Claude (relays|verifies)/, turns: [submit("It is so.")] },
  ],
  check(shown, plain) {
    const [first] = requestsOf(shown, "Claude coordinates");
    expect(offered(first).toSorted()).toEqual([
      "askPerson",
      "cancelSubagent",
      "messageSubagent",
      "note",
      "peekSubagents",
      "spawnSubagent",
      "updatePlan",
      "waitForSubagents",
    ]);
    expect(errorCodes(shown, "lead", "readFile")).toEqual(["POLICY_DENIED"]);
    expect(dataOf(shown, "handoff.refused").map(({ code }) => code)).toEqual(["RELAYED"]);
    // The result itself reaches the verifier, as data.
    expect(requestsOf(shown, "Claude verifies")[0]?.firstUserMessage).toContain(found);
    expect([errorCodes(plain, "lead", "readFile"), dataOf(plain, "handoff.refused")]).toEqual([[], []]);
  },
};
