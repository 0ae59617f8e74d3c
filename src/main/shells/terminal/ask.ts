// Asks about open approvals in the terminal, one after the other, while the run goes on. What the person leaves open
// stays open; what is decided elsewhere meanwhile is not asked.

import { createInterface, type Interface } from "node:readline/promises";
import type { ApprovalId } from "../../../shared/contract/ids.ts";
import { type ApprovalState, findApproval, findChangeSet } from "../../domain/state.ts";
import type { LiveRun } from "../../runs/liveRun.ts";
import { plainText } from "./human/plainText.ts";
import type { Output } from "./output.ts";
import { failureOf } from "./output.ts";
import { readHunks } from "./usage.ts";

/** What a person said to a question: a decision, or nothing for now. */
type Reply =
  | Omit<Extract<Parameters<LiveRun["dispatch"]>[0], { type: "approval.decide" }>, "type" | "approval" | "by">
  | "open"
  | "again";

/** What is typed, and where the questions stand. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

export interface Asking {
  /** Stops asking and gives the terminal back. */
  close(): void;
}

/** `showChange` prints the change that an approval is about. When everything that waits has been left open, the run is left as it is. */
export function askInTerminal(
  live: LiveRun,
  output: Output,
  showChange: (approval: ApprovalState) => Promise<void>,
  { stdin: input, stdout: shown }: TerminalStreams = process,
): Asking {
  const terminal = createInterface({ input, output: shown });
  // Readline takes Ctrl+C for itself; the run's own handler knows what it means.
  terminal.on("SIGINT", () => process.emit("SIGINT"));
  const leftOpen = new Set<ApprovalId>();
  const stop = new AbortController();
  let isAsking = false;

  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    for (let next = nextOpen(); next && !stop.signal.aborted; next = nextOpen()) await askOne(next);
    isAsking = false;
    const { status, approvals } = live.state();
    const open = approvals.filter((approval) => approval.status === "open");
    if (status === "waiting" && open.length > 0 && open.every((approval) => leftOpen.has(approval.id))) live.leave();
  };
  const nextOpen = () =>
    live.state().approvals.find((approval) => approval.status === "open" && !leftOpen.has(approval.id));

  const askOne = async (approval: ApprovalState) => {
    const reply = await ask(terminal, live, approval, showChange, output, stop.signal);
    if (reply === "again") return;
    if (reply === "open") {
      leftOpen.add(approval.id);
      return;
    }
    const decided = await live.dispatch({ type: "approval.decide", approval: approval.id, by: "a person", ...reply });
    if (!decided.ok) output.remark(`${decided.error.code}: ${decided.error.message}`);
  };

  const unsubscribe = live.onCommit(() => void askAll());
  void askAll();
  return {
    close: () => {
      stop.abort();
      unsubscribe();
      terminal.close();
    },
  };
}

/** Asks until the reply is one, the question is decided elsewhere, or asking stops. */
async function ask(
  terminal: Interface,
  live: LiveRun,
  approval: ApprovalState,
  showChange: (approval: ApprovalState) => Promise<void>,
  output: Output,
  stop: AbortSignal,
): Promise<Reply> {
  const decidedElsewhere = new AbortController();
  const unsubscribe = live.onCommit(({ state }) => {
    if (findApproval(state, approval.id)?.status !== "open") decidedElsewhere.abort();
  });
  const signal = AbortSignal.any([stop, decidedElsewhere.signal]);
  const question = (text: string) => terminal.question(`${text} `, { signal });
  try {
    output.line("");
    output.line(output.style.amber(plainText(`${approval.agent} asks: ${approval.summary}`)));
    switch (approval.kind) {
      case "changeset":
        return await askAboutChange(question, live, approval, showChange);
      case "question":
        return await askQuestion(question, approval);
      case "plan":
        return await askAboutPlan(question, approval, output);
      case "effect":
        return await askAboutEffect(question, approval, output);
      case "reconcile":
        return await askAboutConflict(question, approval, output);
      case "budget":
        return readRaise(
          await question("[a]dd that much, [r] no limit for this run, an amount, [x] no more, [l]eave it open?"),
        );
      default:
        return readPermission(
          await question("[a]llow once, for this [r]un, for this [p]roject, [x] reject, [l]eave it open?"),
        );
    }
  } catch (error) {
    // Readline rejects when its signal aborts: there is nothing to ask any more.
    if (signal.aborted) return "again";
    output.remark(failureOf(error).message);
    return "again";
  } finally {
    unsubscribe();
  }
}

async function askAboutChange(
  question: (text: string) => Promise<string>,
  live: LiveRun,
  approval: ApprovalState,
  showChange: (approval: ApprovalState) => Promise<void>,
): Promise<Reply> {
  const set = findChangeSet(live.state(), approval.changeset);
  const target = set?.target.branch ?? "its branch";
  const key = (
    await question(`[d]iff, [a]pprove onto ${target}, choose [h]unks, send [b]ack, [x] reject, [l]eave it open?`)
  )
    .trim()
    .toLowerCase();
  switch (key) {
    case "d":
      await showChange(approval);
      return "again";
    case "a":
      return { decision: "approved" };
    case "h": {
      const hunks = readHunks(
        (await question("Hunks, such as src/a.js:1,3 src/b.js:2:"))
          .trim()
          .split(/\s+/)
          .filter((entry) => entry !== ""),
      );
      return hunks === undefined ? "again" : { decision: "approved", hunks };
    }
    case "b": {
      const comment = (await question("What is to be changed:")).trim();
      if (comment === "") return "again";
      const bringsTarget =
        set?.held?.code === "CONFLICT" &&
        /^y/i.test((await question(`With ${target} in its worktree, to resolve the conflict? [y]es, [n]o:`)).trim());
      return { decision: "sent_back", comment, ...(bringsTarget ? { bringsTarget } : {}) };
    }
    case "x": {
      const comment = (await question("Why (may be empty):")).trim();
      return { decision: "rejected", ...(comment === "" ? {} : { comment }) };
    }
    case "l":
      return "open";
    default:
      return "again";
  }
}

async function askQuestion(question: (text: string) => Promise<string>, approval: ApprovalState): Promise<Reply> {
  const choices = approval.choices.map((choice, index) => `${index + 1}) ${plainText(choice)}`).join("  ");
  const said = (
    await question(
      choices === "" ? "Your answer (empty leaves it open):" : `${choices}\nNumber or text (empty leaves it open):`,
    )
  ).trim();
  if (said === "") return "open";
  const choice = approval.choices[Number(said) - 1];
  return { decision: "answered", comment: choice ?? said };
}

/** The graph first: what a yes starts. A template's cannot be planned otherwise. */
async function askAboutPlan(
  question: (text: string) => Promise<string>,
  { why, call }: ApprovalState,
  output: Output,
): Promise<Reply> {
  for (const line of (why ?? "").split("\n")) output.line(`  ${plainText(line)}`);
  const back = call === null ? "" : "send [b]ack, ";
  const said = (await question(`[a]pprove and start, ${back}[x] reject and end the run, [l]eave it open?`)).trim();
  switch (said.toLowerCase()) {
    case "a":
      return { decision: "approved" };
    case "b": {
      const comment = call === null ? "" : (await question("What is to be planned otherwise:")).trim();
      return comment === "" ? "again" : { decision: "sent_back", comment };
    }
    case "x":
      return { decision: "rejected" };
    case "l":
      return "open";
    default:
      return "again";
  }
}

/** Only who looks at the world knows: what is known here is shown first. */
async function askAboutEffect(
  question: (text: string) => Promise<string>,
  { why, effect }: ApprovalState,
  output: Output,
): Promise<Reply> {
  if (why !== null) output.line(plainText(why));
  if (effect !== null && effect.files.length > 0)
    output.line(`Changed in its worktree: ${plainText(effect.files.join(", "))}`);
  if (effect?.output !== undefined) output.line(`It had printed:\n${plainText(effect.output)}`);
  const said = await question("[a]pplied, [n]ot applied, [u]nknown, [l]eave it open?");
  const value = { a: "applied", n: "not_applied", u: "unknown" }[said.trim().toLowerCase()];
  if (value !== undefined) return { decision: "answered", comment: value };
  return said.trim().toLowerCase() === "l" ? "open" : "again";
}

/** Each side with what it rests on; a number takes that side. */
async function askAboutConflict(
  question: (text: string) => Promise<string>,
  { why, conflict }: ApprovalState,
  output: Output,
): Promise<Reply> {
  if (why !== null) output.line(plainText(why));
  const sides = conflict?.sides ?? [];
  for (const [index, { by, role, verdict, evidence }] of sides.entries())
    output.line(plainText(`  ${index + 1}) ${verdict}, says ${by} (${role}): ${evidence}`));
  const said = (await question("The number of the one that holds, [x] neither and sum up, [l]eave it open?")).trim();
  const side = sides[Number(said) - 1];
  if (side !== undefined) return { decision: "answered", comment: side.by };
  if (said.toLowerCase() === "x") return { decision: "rejected" };
  return said.toLowerCase() === "l" ? "open" : "again";
}

function readRaise(text: string): Reply {
  const said = text.trim().toLowerCase();
  if (/^\+?\d+(\.\d+)?$/.test(said)) return { decision: "answered", comment: said };
  return said === "p" ? "again" : readPermission(said);
}

function readPermission(text: string): Reply {
  switch (text.trim().toLowerCase()) {
    case "a":
      return { decision: "approved", scope: "once" };
    case "r":
      return { decision: "approved", scope: "run" };
    case "p":
      return { decision: "approved", scope: "project" };
    case "x":
      return { decision: "rejected" };
    case "l":
      return "open";
    default:
      return "again";
  }
}
