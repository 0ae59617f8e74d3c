// `approve` and `reject`: a decision is durable before it acts, and what follows from it is carried out at once: by the
// process that drives the run, or here.

import type { ApprovalId, RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import type { HunkSelection } from "../../domain/events.ts";
import { findApproval, findChangeSet, type RunState } from "../../domain/state.ts";
import type { RequestBody } from "../../workbench.ts";
import { type Invocation, noModel, resumeRun, type ResumeFlags } from "./runCommands.ts";

export interface DecideFlags extends ResumeFlags {
  readonly resume?: boolean;
}

export interface Decision {
  readonly approval: ApprovalId;
  readonly decision: "approved" | "rejected";
  readonly hunks?: HunkSelection;
  readonly comment?: string;
  readonly message?: string;
}

/** Exit 0 done, 1 it could not be, 2 no such approval, 5 driven elsewhere and not taken within 10 s. With `--resume`: the run's own code. */
export async function decide(invocation: Invocation, decision: Decision, flags: DecideFlags): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.runOfApproval(decision.approval);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const body: Extract<RequestBody, { kind: "decide" }> = { kind: "decide", by: "a person", ...decision };
  const failure = (await workbench.isDriven(run)) ? await decideElsewhere(invocation, run, body) : await decideHere(invocation, run, body);
  if (failure !== null) return output.fail(failure);
  if (flags.resume === true) return resumeRun(invocation, run, flags);
  const outcome = outcomeOf(await workbench.state(run), decision);
  if ("failure" in outcome) return output.fail(outcome.failure);
  output.json(outcome.record);
  output.line(outcome.sentence);
  return 0;
}

async function decideElsewhere({ workbench }: Invocation, run: RunId, body: RequestBody): Promise<Failure | null> {
  const answer = await workbench.askHolder(run, body);
  if (answer === null) return { code: "DRIVEN_ELSEWHERE", message: `Another process drives ${run} and did not take the decision within 10 s; it was withdrawn. Try again, or decide there.` };
  return answer.done ? null : answer.error;
}

/** Nobody drives the run: the decision is recorded here, and a landing that follows from it is carried out. Agents do not go on until `resume`. */
async function decideHere({ workbench }: Invocation, run: RunId, body: Extract<RequestBody, { kind: "decide" }>): Promise<Failure | null> {
  const taken = await workbench.takeRun(run, noModel);
  if (!taken.ok) return taken.error;
  const live = taken.value;
  try {
    const { approval, decision, by, hunks, comment, message } = body;
    const decided = await live.dispatch({
      type: "approval.decide",
      approval,
      decision,
      by,
      ...(hunks === undefined ? {} : { hunks }),
      ...(comment === undefined ? {} : { comment }),
      ...(message === undefined ? {} : { message }),
    });
    if (!decided.ok) return decided.error;
    await live.carryOutDecisions();
    return null;
  } finally {
    await live.release();
  }
}

type Outcome = { readonly failure: Failure } | { readonly record: unknown; readonly sentence: string };

function outcomeOf(state: RunState, { approval: id, decision }: Decision): Outcome {
  const approval = findApproval(state, id);
  const set = findChangeSet(state, approval?.changeset ?? null);
  const node = set && state.nodes.find((one) => one.id === set.agent);
  if (set?.status === "held") {
    return { failure: { code: node?.held?.code ?? "CHANGE_SET_HELD", message: `${set.id} is held: ${node?.held?.sentence ?? "it could not land."} Its approval stands; approve it again to retry.` } };
  }
  const landing = state.landings.findLast((one) => one.changeset === set?.id && one.status === "landed");
  if (landing) return { record: { approval: id, decision, landing: landing.id, target: state.target.branch, commit: landing.new }, sentence: `Landed ${set?.id} on ${state.target.branch} as ${landing.new.slice(0, 10)}.` };
  return { record: { approval: id, decision }, sentence: `${id} is ${decision}.` };
}
