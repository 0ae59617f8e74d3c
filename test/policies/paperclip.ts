// Paperclip: issues are checked out by one conditional update. The loser is told, and must not try again; a cancelled
// blocker does not satisfy.

import { expect } from "vitest";

import { gate } from "../support/storyProbes.ts";
import { call, calls, say, spawn, submit, toolAnswers, wait } from "../support/workbenchStory.ts";
import { dataOf, requestsOf, type System } from "./system.ts";

const items = (status: string) => [
  { id: "schema", title: "The schema", status },
  { id: "api", title: "The API", status: "pending", blockedBy: ["schema"] },
  { id: "docs", title: "The guide", status: "pending" },
];

/** Nobody is done before the lead has cancelled. */
const cancelled = gate();

export const paperclip: System = {
  title: "Paperclip: the second checkout of an item loses, and a cancelled blocker does not satisfy",
  task: "Paperclip dispatches",
  options: ["--topology", "dispatch"],
  entries: [
    {
      match: /^Paperclip dispatches/,
      turns: [
        call("updatePlan", { steps: items("pending") }),
        calls(
          spawn("Paperclip docs", { step: "docs" }),
          spawn("Paperclip docs again", { step: "docs" }),
          spawn("Paperclip schema", { step: "schema", dependsOn: ["subagent-1"] }),
        ),
        call("cancelSubagent", { subagentId: "subagent-2" }),
        () => {
          cancelled.open();
          return calls(spawn("Paperclip api", { step: "api" }));
        },
        wait(["subagent-1"]),
        say("Docs are done."),
      ],
    },
    { match: /^Paperclip (docs|schema|api)/, turns: [{ ...submit("written"), gate: cancelled.passed }] },
  ],
  check(shown, plain) {
    expect(dataOf(shown, "handoff.refused").map(({ code, task }) => [code, task])).toEqual([
      ["ITEM_TAKEN", "Paperclip docs again"],
      ["ITEM_BLOCKED", "Paperclip api"],
    ]);
    expect(dataOf(shown, "handoff.recorded").map(({ packet: { step } }) => step)).toEqual(["docs", "schema"]);
    const told = toolAnswers(requestsOf(shown, "Paperclip dispatches").at(-1)?.body ?? { messages: [] });
    expect(told).toContain("subagent-1 has docs (running); do not ask for it again. Free: schema, api.");
    expect(told).toContain("subagent-2 had it and has cancelled, which does not satisfy it");
    expect(dataOf(plain, "handoff.refused")).toEqual([]);
    expect(dataOf(plain, "handoff.recorded")).toHaveLength(4);
  },
};
