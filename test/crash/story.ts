// The story that is told while processes die: a lead that is refused a spawn, gets a reader and an executor, whose edit is
// checked, approved by policy and landed. Answers follow from what was asked, so it goes on wherever it was cut.

import { numberingFaults, ofType } from "../support/commandStories.ts";
import type { Desk } from "../support/commandLine.ts";
import type { Ended, PrintedEvent } from "../support/commandProcess.ts";
import type { RequestBody, ScriptedEntry } from "../support/scriptedModel.ts";
import { call, calls, edit, say, spawn, submit, toolAnswers, wait } from "../support/workbenchStory.ts";
import { compared } from "./tally.ts";

const edited = edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });
const looked = call("runCommand", { command: "cat a.txt" });

export const crashStory: readonly ScriptedEntry[] = [
  { match: /^Begin/, turns: [(body) => leadTurn(body)] },
  {
    match: /^READ/,
    turns: [(body) => (hasDone(body, "readFile") ? submit("read") : call("readFile", { path: "a.txt" }))],
  },
  { match: /^EXEC/, turns: [(body) => executorTurn(body)] },
];

function leadTurn(body: RequestBody) {
  const answers = toolAnswers(body);
  if (/"results"/.test(answers)) return say("All done.");
  if (/"subagentId":"subagent-2"/.test(answers)) return wait(["subagent-1", "subagent-2"], { until: "completed" });
  return calls(
    spawn("NEVER", { dependsOn: ["subagent-99"] }),
    spawn("READ"),
    spawn("EXEC", { role: "executor", paths: ["a.txt"], dependsOn: ["subagent-1"] }),
  );
}

function executorTurn(body: RequestBody) {
  const answers = toolAnswers(body);
  if (!/"applied"|Carried out/.test(answers)) return edited;
  return /^exit 0/m.test(answers) ? submit("edited") : looked;
}

function hasDone(body: RequestBody, tool: string): boolean {
  const answers = toolAnswers(body);
  return (
    body.messages.some((message) => message.tool_calls?.some((one) => one.function.name === tool) === true) &&
    !answers.split("\n").every((answer) => answer === "" || answer.startsWith("Not carried out"))
  );
}

/** The arguments that begin it. */
export function beginArgs(desk: Desk): readonly string[] {
  return desk.runArgs("Begin", "--verify", "grep -q zwei a.txt", "--budget", "steps=60,toolCalls=120");
}

/** The events of an output whose last line may have been cut. */
export function wholeLines(stdout: string): readonly PrintedEvent[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith('{"n":'))
    .map((line) => JSON.parse(line) as PrintedEvent);
}

/** What is wrong with a run that died, was resumed and ended: nothing lost, nothing twice, nothing left. Empty when all is well. */
export async function faultsOf(
  desk: Desk,
  run: string,
  printed: readonly PrintedEvent[],
  resumed: Pick<Ended, "code" | "signal" | "stderr">,
): Promise<readonly string[]> {
  const isEnded = resumed.code === 0;
  const ending = isEnded ? [] : [`resume ended with ${resumed.code ?? resumed.signal}: ${resumed.stderr.trim()}`];
  compared("runs went on to their end", 1, ending);
  if (!isEnded) return ending;
  const log = await desk.journal(run);
  const counts = { "changeset.landed": 1, "handoff.recorded": 2, "handoff.refused": 1, "subagent.settled": 2 };
  const kept = [1, 2, 3, 4, "pin"].map((name) => `refs/coppice/${run}/subagent-2/${name}`);
  return [
    ...journalFaults(log, printed, onceOnly),
    ...compared(
      "kinds of event happened as often as they had to",
      Object.keys(counts).length,
      countFaults(log, counts),
    ),
    ...compared("branches hold what was to land, in one commit", 1, landedFaults(desk)),
    ...compared("requests were charged once", ofType(log, "model.requested").length, budgetFaults(log)),
    ...(await leftFaults(desk, run, ["refs/heads/landed", ...kept])),
  ];
}

/** What is wrong with a journal beside what was printed of it. `types`: those of which no two events name the same. */
export function journalFaults(
  log: readonly PrintedEvent[],
  printed: readonly PrintedEvent[],
  types: readonly string[],
): readonly string[] {
  const names = types.flatMap((type) => namesIn(log, type));
  return [
    ...compared("acknowledged events stand in the journal as they were printed", printed.length, lostOf(log, printed)),
    ...compared("events are numbered without a gap", log.length, numberingFaults(log)),
    ...compared("effects, decisions, handoffs, settlements and stops happened once", names.length, repeatedIn(names)),
  ];
}

/** What a run has left that is none of `kept`, and what the doctor finds. */
export async function leftFaults(desk: Desk, run: string, kept: readonly string[]): Promise<readonly string[]> {
  return [
    ...compared("runs left no process, lock, worktree, folder or ref", 1, await desk.leavings(run, ...kept)),
    ...compared("journals hold every invariant of `coppice doctor`", 1, await desk.faults()),
  ];
}

/** `content` of the edited file in its work place: the edit stands there only if its dispatch was acknowledged before. Empty when all is well. */
export function unrecordedEdit(worktree: string, printed: readonly PrintedEvent[]): readonly string[] {
  const wasDispatched = printed.some(({ type, data }) => type === "tool.dispatched" && data["tool"] === "applyEdit");
  return worktree.includes("zwei") && !wasDispatched ? ["the edit was made without a record of it"] : [];
}

function landedFaults({ repository: { git } }: Desk): readonly string[] {
  if (git("for-each-ref", "refs/heads/landed") === "") return ["nothing has landed"];
  return [
    ...(git("show", "landed:a.txt") === "one\nzwei\nthree" ? [] : ["the landed file is not as it was to become"]),
    ...(git("rev-list", "--count", "main..landed") === "1" ? [] : ["there is not exactly one commit on the target"]),
  ];
}

/** What was printed before the death, and so was acknowledged, stands in the journal as it was printed. */
function lostOf(log: readonly PrintedEvent[], printed: readonly PrintedEvent[]): readonly string[] {
  // By ordinal: what a process had committed and not printed yet when it died, the next one does not print either.
  return printed.flatMap((event) =>
    JSON.stringify(log[event.n - 1]) === JSON.stringify(event)
      ? []
      : [`printed event ${event.n} is not in the journal`],
  );
}

/** Types of which no two events name the same. */
const onceOnly = [
  "tool.dispatched",
  "tool.settled",
  "subagent.settled",
  "approval.decided",
  "run.stopped",
  "handoff.recorded",
];

/** What the events of a type name. */
function namesIn(log: readonly PrintedEvent[], type: string): readonly string[] {
  return ofType(log, type).map(
    ({ run, data }) =>
      `${type} ${run} ${JSON.stringify(data["call"] ?? data["approval"] ?? data["subagent"] ?? data["key"] ?? "")}`,
  );
}

function repeatedIn(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function countFaults(log: readonly PrintedEvent[], wanted: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(wanted).flatMap(([type, count]) => {
    const found = ofType(log, type).length;
    return found === count ? [] : [`${found} ${type}, not ${count}`];
  });
}

/** Each request was charged once, whether its answer came or was lost. */
function budgetFaults(log: readonly PrintedEvent[]): readonly string[] {
  const ended = new Set(["model.completed", "model.lost", "model.failed"]);
  const asked = ofType(log, "model.requested").length;
  const closed = log.filter((event) => ended.has(event.type)).length;
  return asked === closed ? [] : [`${asked} requests and ${closed} ends of them`];
}
