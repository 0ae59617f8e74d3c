// DeerFlow 2: the lead decides, the code clamps. Its middleware cuts the calls above the clamp off; ours queues them.

import { expect } from "vitest";

import { calls, say, spawn, submit, wait } from "../support/workbenchStory.ts";
import { dataOf, requestsOf, type System, waits } from "./system.ts";

const five = [1, 2, 3, 4, 5];

export const deerFlow: System = {
  title: "DeerFlow 2: what is above the clamp is queued, not dropped",
  task: "DeerFlow looks at five sides",
  options: ["--policy", "llm", "--max-concurrent", "3"],
  entries: [
    {
      match: /^DeerFlow looks/,
      turns: [
        calls(...five.map((side) => spawn(`DeerFlow side ${side}`))),
        wait(five.map((side) => `subagent-${side}`)),
        say("All five."),
      ],
    },
    { match: /^DeerFlow side/, turns: [submit("found")] },
  ],
  check(shown, plain) {
    expect(dataOf(shown, "handoff.recorded")).toHaveLength(5);
    expect(waits(shown, "SLOT")).toEqual(["subagent-4", "subagent-5"]);
    expect(requestsOf(shown, "DeerFlow side")).toHaveLength(5);
    expect(waits(plain, "SLOT")).toEqual([]);
  },
};
