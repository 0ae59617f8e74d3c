// A run as a person goes through it, command by command: reviewed, sent back, landed, taken back, written to, forked, exported,
// collected and deleted. A command that dies is given again, unless the journal says that it was carried out.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { ofType } from "../support/commandStories.ts";
import type { Desk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import type { RequestBody, ScriptedEntry } from "../support/scriptedModel.ts";
import { edit, say, spawn, submit, toolAnswers, wait, calls } from "../support/workbenchStory.ts";
import { compared } from "./tally.ts";
import { journalFaults, leftFaults } from "./story.ts";

/** How a run stands between two commands. */
export interface Scene {
  readonly desk: Desk;
  /** `null` until it is stored. */
  readonly run: string | null;
  readonly log: readonly PrintedEvent[];
  /** All that are stored, and those of them that have stopped. */
  readonly runs: readonly string[];
  readonly stopped: readonly string[];
}

export interface Act {
  /** What somebody else does before; doing it again changes nothing. */
  prepare?(scene: Scene): void;
  args(scene: Scene): readonly string[];
  /** Whether it was carried out, so that it need not be given again. */
  isDone(scene: Scene): boolean;
  /** Given until it has ended by itself once, whatever it has done. */
  readonly isRepeatable?: true;
}

const louder = "louder, please";

export const actsStory: readonly ScriptedEntry[] = [
  { match: /^Act/, turns: [(body) => leadTurn(body)] },
  { match: /^EDIT/, turns: [(body) => executorTurn(body)] },
];

function leadTurn(body: RequestBody) {
  const answers = toolAnswers(body);
  if (/"results"/.test(answers)) return say("All done.");
  if (/"subagentId":"subagent-1"/.test(answers)) return wait(["subagent-1"]);
  return calls(spawn("EDIT a.txt", { role: "executor", paths: ["a.txt"] }));
}

function executorTurn(body: RequestBody) {
  const appliedCount = [...toolAnswers(body).matchAll(/"applied"|Carried out/g)].length;
  const isSentBack = JSON.stringify(body.messages).includes(louder);
  if (appliedCount === 0) return edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });
  if (isSentBack && appliedCount === 1)
    return edit({ kind: "replace", path: "a.txt", oldText: "zwei", newText: "ZWEI" });
  return submit("edited");
}

const approvals = ({ log }: Scene) => ofType(log, "approval.requested").map(({ data }) => String(data["approval"]));
const decided = ({ log }: Scene) => ofType(log, "approval.decided").length;
const has = ({ log }: Scene, type: string, count = 1) => ofType(log, type).length >= count;
const resume = ({ run }: Scene) => ["resume", run ?? "", "--budget", "steps=90", "--json"];
const archive = ({ desk }: Scene) => join(desk.repository.outside, "run.coppice");
const fork = ({ runs, run }: Scene) => runs.find((one) => one !== run);

/** Landed where the person stands. */
const beginning = [
  "--approve",
  "each",
  "--land-on",
  "current",
  "--include-dirty",
  "--setup",
  "true",
  "--verify",
  "grep -qi zwei a.txt",
  "--budget",
  "steps=60",
];

export const acts: readonly Act[] = [
  {
    args: (scene) => (scene.run === null ? scene.desk.runArgs("Act", ...beginning) : resume(scene)),
    isDone: (scene) => approvals(scene).length >= 1,
  },
  {
    // Somebody goes on on the target meanwhile.
    prepare: ({ desk: { repository } }) => {
      if (repository.git("ls-tree", "--name-only", "main", "c.txt") !== "") return;
      repository.write({ "c.txt": "theirs\n" });
      repository.git("add", "c.txt");
      repository.git("commit", "--quiet", "--no-verify", "-m", "theirs");
    },
    args: (scene) => ["send-back", approvals(scene)[0] ?? "", "--comment", louder, "--with-target", "--json"],
    isDone: (scene) => decided(scene) >= 1,
  },
  { args: resume, isDone: (scene) => approvals(scene).length >= 2 },
  {
    args: (scene) => ["approve", approvals(scene)[1] ?? "", "--json"],
    isDone: (scene) => has(scene, "changeset.landed"),
  },
  { args: resume, isDone: (scene) => has(scene, "run.stopped") },
  {
    args: ({ log }) => ["undo", String(ofType(log, "changeset.landed")[0]?.data["landing"]), "--json"],
    isDone: (scene) => has(scene, "landing.undone"),
  },
  {
    args: (scene) => (has(scene, "input.received") ? resume(scene) : ["message", scene.run ?? "", "Thanks", "--json"]),
    isDone: (scene) => has(scene, "run.stopped", 2),
  },
  {
    args: (scene) => ["export", scene.run ?? "", "-o", archive(scene), "--json"],
    isDone: (scene) => existsSync(archive(scene)),
  },
  {
    args: ({ run, log }) => ["fork", run ?? "", "--at", String(ofType(log, "changeset.proposed")[0]?.n), "--json"],
    isDone: (scene) => fork(scene) !== undefined,
  },
  {
    args: (scene) => ["cancel", fork(scene) ?? "", "--json"],
    isDone: ({ stopped, ...scene }) => stopped.includes(fork({ stopped, ...scene }) ?? ""),
  },
  { args: (scene) => ["delete", fork(scene) ?? "", "--json"], isDone: (scene) => fork(scene) === undefined },
  { args: () => ["gc", "--json"], isDone: () => false, isRepeatable: true },
];

/** What is wrong with a run that went through all of it. Empty when all is well. */
export async function actFaults(
  scene: Scene,
  printed: readonly PrintedEvent[],
  outcome: string,
): Promise<readonly string[]> {
  const { desk, run, log } = scene;
  const found = outcomeOf(scene);
  const kept = [1, 2, 3, 4, "pin", "sent-back/1"].map((name) => `refs/coppice/${run}/subagent-1/${name}`);
  return [
    ...journalFaults(log, printed, onceOnly),
    ...compared(
      "branches hold what was to land, in one commit",
      1,
      found === outcome ? [] : [`${found}, not ${outcome}`],
    ),
    ...(await leftFaults(desk, run ?? "", kept)),
  ];
}

/** Types of which no two events name the same; this run stops more than once. */
const onceOnly = ["tool.dispatched", "tool.settled", "subagent.settled", "approval.decided", "handoff.recorded"];

/** What must be the same however often it died on the way: the branches, and how often the acts happened. */
export function outcomeOf({ desk: { repository }, log }: Scene): string {
  const tree = repository.git("rev-parse", "main^{tree}");
  const commits = repository.git("rev-list", "--count", "main");
  const status = repository.git("status", "--porcelain");
  const types = ["changeset.proposed", "changeset.landed", "landing.undone", "input.received", "run.stopped"];
  return [tree, commits, status, ...types.map((type) => `${ofType(log, type).length} ${type}`)].join(", ");
}
