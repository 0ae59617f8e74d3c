// Goose: five at a time, the sixth is refused there; here it waits, and both the model and the journal are told why.

import { expect } from "vitest";

import { calls, say, spawn, submit, toolAnswers, wait } from "../support/workbenchStory.ts";
import { dataOf, requestsOf, type System, waits } from "./system.ts";

const six = [1, 2, 3, 4, 5, 6];

export const goose: System = {
  title: "Goose: the sixth task waits, and says so",
  task: "Goose delegates six",
  options: ["--policy", "llm", "--max-concurrent", "5"],
  entries: [
    {
      match: /^Goose delegates/,
      turns: [
        calls(...six.map((task) => spawn(`Goose task ${task}`))),
        wait(six.map((task) => `subagent-${task}`)),
        say("Six done."),
      ],
    },
    { match: /^Goose task/, turns: [submit("done")] },
  ],
  check(shown, plain) {
    const told = "All 5 slots of this run are taken.";
    expect(waits(shown, "SLOT")).toEqual(["subagent-6"]);
    expect(dataOf(shown, "subagent.queued").find(({ code }) => code === "SLOT")?.sentence).toBe(told);
    const [, second] = requestsOf(shown, "Goose delegates");
    expect(toolAnswers(second?.body ?? { messages: [] })).toContain(told);
    expect(requestsOf(shown, "Goose task 6")).toHaveLength(1);
    expect(waits(plain, "SLOT")).toEqual([]);
  },
};
