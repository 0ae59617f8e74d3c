// OpenClaw: a spawn that may not be is answered with a status and throws nothing, at the depth limit too; how keen the
// model is to delegate is a setting.

import { expect } from "vitest";

import { calls, say, spawn, submit, toolAnswers, wait } from "../support/workbenchStory.ts";
import { dataOf, errorCodes, requestsOf, type System } from "./system.ts";

export const openClaw: System = {
  title: "OpenClaw: the refusal at the depth limit is a returned status, and the work goes on",
  task: "OpenClaw spawns",
  options: ["--delegation", "direct"],
  entries: [
    {
      match: /^OpenClaw spawns/,
      turns: [
        calls(spawn("OpenClaw idle"), spawn("OpenClaw child", { reason: "It can look while I read." })),
        // Under plain llm the first one was accepted.
        (body) => wait(toolAnswers(body).includes("REASON_MISSING") ? ["subagent-1"] : ["subagent-1", "subagent-2"]),
        say("Back."),
      ],
    },
    { match: /^OpenClaw child/, turns: [calls(spawn("OpenClaw grandchild")), submit("did it myself")] },
    { match: /^OpenClaw idle/, turns: [submit("nothing to do")] },
  ],
  check(shown, plain) {
    expect(dataOf(shown, "handoff.refused").map(({ code, task }) => [code, task])).toEqual([
      ["REASON_MISSING", "OpenClaw idle"],
      ["DEPTH_EXHAUSTED", "OpenClaw grandchild"],
    ]);
    expect(errorCodes(shown, "subagent-1", "spawnSubagent")).toEqual(["DEPTH_EXHAUSTED"]);
    const [, second] = requestsOf(shown, "OpenClaw child");
    expect(toolAnswers(second?.body ?? { messages: [] })).toContain("may not delegate further");
    expect(dataOf(shown, "subagent.settled").map(({ status }) => status)).toEqual(["completed"]);
    expect(requestsOf(shown, "OpenClaw grandchild")).toEqual([]);
    expect(dataOf(plain, "handoff.recorded")).toHaveLength(2);
  },
};
