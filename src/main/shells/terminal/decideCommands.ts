// `approve`, `reject`, `send-back`, `answer`, `land`, `undo`: a decision is durable before it acts, and what follows from
// it is carried out at once: by the process that drives the run, or here.

import type { ApprovalId, LandingId, RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { findApproval, findChangeSet, type LandingState, type RunState } from "../../domain/state.ts";
import type { ForeignCommand, Workbench } from "../../workbench.ts";
import { lookUntil } from "./lookUntil.ts";
import { readOverrides, type ResumeFlags } from "./overrideFlags.ts";
import { resumeRun } from "./resumeCommand.ts";
import type { Invocation } from "./invocation.ts";
import { steer } from "./steer.ts";

export interface DecideFlags extends Pick<ResumeFlags, "baseUrl" | "apiKeyFile" | "cassette"> {
  readonly resume?: boolean;
}

/** What is decided, and how: an `approval.decide` without who decides. */
export type Decision = Omit<Extract<ForeignCommand, { type: "approval.decide" }>, "type" | "by">;

/** Exit 0 done, 1 it could not be, 2 no such approval, 5 driven elsewhere and not taken within 10 s. With `--resume`: the run's own code. */
export async function decide(invocation: Invocation, decision: Decision, flags: DecideFlags): Promise<number> {
  const { workbench, output } = invocation;
  // A mistake in what is to hold from here on is told before anything is decided.
  const overrides = flags.resume === true ? readOverrides(flags, invocation) : null;
  const found = await workbench.runOfApproval(decision.approval);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const failure = await steer(workbench, run, { type: "approval.decide", by: "a person", ...decision });
  if (failure !== null) return output.fail(failure);
  if (overrides !== null) return resumeRun(invocation, run, { ...flags, overrides });
  const outcome = outcomeOf(await untilCarriedOut(workbench, run, decision.approval), decision.approval);
  if ("failure" in outcome) return output.fail(outcome.failure);
  output.json(outcome.record);
  output.line(outcome.sentence);
  return 0;
}

/** A driver has taken the decision, but its landing may still be verified: how long that is waited for, ms. */
const landingMs = 15 * 60_000;

/** The run once its change set has landed or is held. Earlier when nobody drives it any more: whoever does next carries it out. */
async function untilCarriedOut(workbench: Workbench, run: RunId, id: ApprovalId): Promise<RunState> {
  const deadline = performance.now() + landingMs;
  let state: RunState | null = null;
  await lookUntil(workbench, async () => {
    const isDriven = await workbench.isDriven(run);
    state = await workbench.state(run);
    const status = findChangeSet(state, findApproval(state, id)?.changeset ?? null)?.status;
    return !isDriven || (status !== "approved" && status !== "landing") || performance.now() > deadline;
  });
  return state ?? workbench.state(run);
}

/** Proposes all that a run has landed on its branch for one review onto the branch that was checked out at assignment. Exit 3: it waits for the decision. */
export async function landRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const proposed = await workbench.proposeLine(found.value.run);
  if (!proposed.ok) return output.fail(proposed.error);
  const { id, summary } = proposed.value;
  output.json({ approval: id, run: found.value.run, kind: "changeset", agent: "lead", summary });
  output.line(summary);
  output.line(`  coppice diff ${found.value.run}`);
  output.line(`  coppice approve ${id}`);
  output.line(`  coppice reject ${id}`);
  return 3;
}

/** Takes a landing back by a revert that is itself a landing. Exit 0 once the branch has moved, 1 with the reason when it could not. */
export async function undoLanding({ workbench, output }: Invocation, landing: string): Promise<number> {
  const undone = await workbench.undo(landing as LandingId);
  if (!undone.ok) return output.fail(undone.error);
  const { target, commit } = undone.value;
  output.json({ landing, target, commit });
  output.line(`Took ${landing} back: ${target} is at ${commit.slice(0, 10)}.`);
  return 0;
}

type Outcome = { readonly failure: Failure } | { readonly record: unknown; readonly sentence: string };

function outcomeOf(state: RunState, id: ApprovalId): Outcome {
  const approval = findApproval(state, id);
  const set = findChangeSet(state, approval?.changeset ?? null);
  const decision = approval?.decision === "sent_back" ? "sent back" : (approval?.decision ?? "decided");
  if (set?.status === "held") {
    const { code, sentence } = set.held ?? { code: "CHANGE_SET_HELD", sentence: "it could not land." };
    return {
      failure: { code, message: `${set.id} is held: ${sentence} Its approval stands; approve it again to retry.` },
    };
  }
  const landing = state.landings.findLast(
    (one): one is LandingState => one.changeset === set?.id && one.status === "landed",
  );
  if (landing && set) {
    const { target } = landing;
    return {
      record: { approval: id, decision, landing: landing.id, target, commit: landing.new },
      sentence: `Landed ${set.id} on ${target} as ${landing.new.slice(0, 10)}.`,
    };
  }
  return { record: { approval: id, decision }, sentence: `${id} is ${decision}.` };
}
