// Eino: the programmer composes the graph, and an interrupted run is resumed at the children that are not done.

import { expect } from "vitest";

import { call, say, submit } from "../support/workbenchStory.ts";
import { dataOf, requestsOf, type System } from "./system.ts";

/** The graph, as a file of the repository. The middle one asks a person in the middle of its work. */
export const einoGraph = {
  about: "Three side by side, composed in a file.",
  nodes: [
    { id: "left", role: "explorer", task: "Eino left of: {task}" },
    { id: "middle", role: "verifier", task: "Eino middle of: {task}" },
    { id: "right", role: "explorer", task: "Eino right of: {task}" },
  ],
} as const;

export const eino: System = {
  title: "Eino: the graph is fixed by code, and resuming reruns only the children that are not done",
  task: "Eino composes",
  options: ["--policy", "template:eino", "--commands", "ask"],
  entries: [
    { match: /^Eino (left|right)/, turns: [submit("done at once")] },
    { match: /^Eino middle/, turns: [call("runCommand", { command: "true" }), submit("done after the yes")] },
    { match: /^Eino composes/, turns: [say("All three.")] },
  ],
  // The middle one waits for a person; how it goes on is in systems.integration.test.ts.
  code: 3,
  check(shown, plain) {
    expect(dataOf(shown, "handoff.recorded").map(({ policy, part }) => [policy, part])).toEqual([
      ["template:eino", "left"],
      ["template:eino", "middle"],
      ["template:eino", "right"],
    ]);
    expect(requestsOf(shown, "Eino composes")).toEqual([]);
    expect([dataOf(plain, "handoff.recorded"), requestsOf(plain, "Eino composes").length]).toEqual([[], 1]);
  },
};
