// What scripted models do in stories about the command line. Answers follow from what was asked, not from a count, so
// that a story goes on wherever its process was killed.

import type { PrintedEvent } from "./commandProcess.ts";
import type { RequestBody, ScriptedEntry, ScriptedTurn } from "./scriptedModel.ts";
import { calls, edit, say, spawn, submit, toolAnswers, wait } from "./workbenchStory.ts";

const changesLine: ScriptedTurn = edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });

/** `Change …`: one executor writes `zwei` into a.txt. */
export const oneChange: readonly ScriptedEntry[] = [
  {
    match: /^Change/,
    turns: [
      (body) =>
        hasCalled(body, "spawnSubagent")
          ? hasCalled(body, "waitForSubagents")
            ? say("Changed.")
            : wait(["subagent-1"])
          : calls(spawn("EDIT a.txt", { role: "executor", paths: ["a.txt"] })),
    ],
  },
  { match: /^EDIT/, turns: [(body) => (hasEdited(body) ? submit("It says zwei.") : changesLine)] },
];

/** `Change …` while an explorer thinks for ever, so that the run is driven until someone ends it. */
export const changeBesideThought: readonly ScriptedEntry[] = [
  {
    match: /^Change/,
    turns: [
      calls(spawn("EDIT a.txt", { role: "executor", paths: ["a.txt"] }), spawn("THINK")),
      wait(["subagent-2"]),
      say("Thought."),
    ],
  },
  { match: /^EDIT/, turns: [changesLine, submit("It says zwei.")] },
  { match: /^THINK/, turns: [{ text: "Hm", hangAfter: 1 }] },
];

/** `Ask …`: one executor wants to run a command, and says what came of it. */
export const commandStory = (command: string): readonly ScriptedEntry[] => [
  {
    match: /^Ask/,
    turns: [
      (body) =>
        hasCalled(body, "spawnSubagent")
          ? hasCalled(body, "waitForSubagents")
            ? say("Asked.")
            : wait(["subagent-1"])
          : calls(spawn("RUN it", { role: "executor", paths: ["."] })),
    ],
  },
  {
    match: /^RUN/,
    turns: [
      (body) => (hasCalled(body, "runCommand") ? submit("Seen.") : calls({ name: "runCommand", args: { command } })),
    ],
  },
];
export const oneCommand = commandStory("echo hello > seen.txt");

function hasCalled(body: RequestBody, tool: string): boolean {
  return body.messages.some((message) => message.tool_calls?.some((call) => call.function.name === tool) === true);
}

/** An edit that a kill cut before it took place is made again. */
function hasEdited(body: RequestBody): boolean {
  const answers = toolAnswers(body);
  return answers !== "" && !answers.split("\n").every((answer) => answer.startsWith("Not carried out"));
}

/** What a whole journal looks like: numbered 1…N over all, 1…M in each stream. Names each fault. */
export function numberingFaults(events: readonly PrintedEvent[]): readonly string[] {
  const heads = new Map<string, number>();
  return events.flatMap((event, index) => {
    const seq = (heads.get(event.run) ?? 0) + 1;
    heads.set(event.run, seq);
    return event.n === index + 1 && event.seq === seq
      ? []
      : [`event ${index + 1} is numbered ${event.n}, in its stream ${event.seq} instead of ${seq}`];
  });
}

export function typesOf(events: readonly PrintedEvent[]): readonly string[] {
  return events.map((event) => event.type);
}

export function ofType(events: readonly PrintedEvent[], type: string): readonly PrintedEvent[] {
  return events.filter((event) => event.type === type);
}
