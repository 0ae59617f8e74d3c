// NanoClaw: groups are isolated, and the table of destinations is the access list.

import { expect } from "vitest";

import { gate } from "../support/storyProbes.ts";
import { call, calls, say, spawn, submit, toolAnswers, wait } from "../support/workbenchStory.ts";
import { dataOf, errorCodes, offered, requestsOf, type System } from "./system.ts";

/** Home thinks until work has written to it. */
const written = gate();

export const nanoClaw: System = {
  title: "NanoClaw: groups cannot message outside the list, and share no notes",
  task: "NanoClaw routes",
  options: ["--topology", "groups"],
  entries: [
    {
      match: /^NanoClaw routes/,
      turns: [
        calls(
          spawn("NanoClaw home", { group: "home" }),
          spawn("NanoClaw alone"),
          spawn("NanoClaw work", { group: "work", mayMessage: ["home"] }),
        ),
        wait(["subagent-1", "subagent-2", "subagent-3"]),
        calls(spawn("NanoClaw later", { group: "work" })),
        wait(["subagent-4"]),
        say("Routed."),
      ],
    },
    {
      match: /^NanoClaw home/,
      turns: [
        { ...call("note", { kind: "finding", text: "Only home knows this." }), gate: written.passed },
        call("messagePeer", { to: "work", text: "Come over." }),
        submit("home is quiet"),
      ],
    },
    { match: /^NanoClaw alone/, turns: [call("messagePeer", { to: "home", text: "Hello?" }), submit("nobody heard")] },
    {
      match: /^NanoClaw work/,
      turns: [
        call("messagePeer", { to: "home", text: "The build is green." }),
        () => {
          written.open();
          return submit("told home");
        },
      ],
    },
    { match: /^NanoClaw later/, turns: [submit("late")] },
  ],
  check(shown, plain) {
    expect(dataOf(shown, "subagent.messaged")).toEqual([{ text: "The build is green.", from: "subagent-3" }]);
    expect(JSON.stringify(requestsOf(shown, "NanoClaw home").at(-1)?.body)).toContain("message of subagent-3");
    expect([errorCodes(shown, "subagent-1", "messagePeer"), errorCodes(shown, "subagent-2", "messagePeer")]).toEqual([
      ["PEER_NOT_ALLOWED"],
      ["PEER_NOT_ALLOWED"],
    ]);
    const [alone, refused] = requestsOf(shown, "NanoClaw alone");
    expect(toolAnswers(refused?.body ?? { messages: [] })).toContain("your packet does not allow it");
    expect(
      [offered(alone), offered(requestsOf(shown, "NanoClaw routes")[0])].map((tools) => tools.includes("messagePeer")),
    ).toEqual([true, false]);
    const hears = (run: typeof shown) =>
      requestsOf(run, "NanoClaw later")[0]?.firstUserMessage.includes("Only home knows");
    expect([hears(shown), hears(plain)]).toEqual([false, true]);
    expect(errorCodes(plain, "subagent-1", "messagePeer")).toEqual(["POLICY_DENIED"]);
  },
};
