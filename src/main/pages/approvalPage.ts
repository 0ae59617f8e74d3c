// One approval with all that is known of it: what is asked, by whom, why, where, and how far a yes may reach.

import type { ApprovalId } from "../../shared/contract/ids.ts";
import type { ApprovalPage, ApprovalScope } from "../../shared/contract/runPages.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { ruleFor } from "../domain/commandRule.ts";
import type { EventOf, RunEvent } from "../domain/events.ts";
import type { CutEffect } from "../domain/records.ts";
import { type ApprovalState, findAgent, findApproval, findNode, type RunState } from "../domain/state.ts";
import { conflictItem } from "./conflictItem.ts";
import { clipAll, excerptOf } from "./fit.ts";
import type { Moment } from "./pageMoment.ts";

/** Characters at full length. */
const longest = { command: 100_000, text: 12_000, short: 2_000, choice: 1_000 };
const maxChoices = 40;
const maxPlanNodes = 50;

/** Code `APPROVAL_NOT_FOUND`. */
export function approvalPage({ state, events }: Moment, id: ApprovalId): Result<ApprovalPage> {
  const approval = findApproval(state, id);
  if (!approval) return fail({ code: "APPROVAL_NOT_FOUND", message: `There is no approval ${id} at this moment.` });
  const { kind, status, agent, since, summary, why, choices, changeset, command, effect, raise, conflict } = approval;
  const turns = turnsUpTo(events, approval);
  return succeed({
    approval: id,
    kind,
    status,
    agent,
    role: findNode(state, agent)?.role ?? "lead",
    since,
    summary: excerptOf(summary, longest.text),
    why: why === null ? null : excerptOf(why, longest.short),
    said: saidIn(turns, approval),
    choices: clipAll(choices, maxChoices, longest.choice),
    changeset,
    command: command === null ? null : excerptOf(command, longest.command),
    folder: folderOf(state, approval),
    ...reachOf(approval),
    effect: effect === null ? null : cutEffectOf(effect),
    raise,
    plan: planOf(approval),
    conflict: conflict === null ? null : conflictItem(conflict),
    network: state.options.network,
    turn: turns.length,
    assignedAt: state.createdAt,
    sent: sentOf(events, approval),
    decision: decisionOf(approval),
  });
}

function cutEffectOf({ tool, startedAt, files, output }: CutEffect): ApprovalPage["effect"] {
  return { tool, startedAt, files, output: output ?? null };
}

/** A template is asked about by no call of the lead's. */
function planOf({ plan, call }: ApprovalState): ApprovalPage["plan"] {
  if (plan === null) return null;
  const nodes = plan.nodes
    .slice(0, maxPlanNodes)
    .map(({ title, ...node }) => ({ ...node, title: excerptOf(title, 200) }));
  return { nodes, isFixed: call === null };
}

/** A yes to a command may hold for more than this once; see the rules of commandRule.ts. */
function reachOf({ kind, command }: ApprovalState): Pick<ApprovalPage, "allows" | "scopes"> {
  if (kind === "budget") return { allows: null, scopes: ["once", "run"] };
  if (kind !== "command" || command === null) return { allows: null, scopes: ["once"] };
  const scopes: readonly ApprovalScope[] = ["once", "run", "project"];
  return { allows: ruleFor(command).kind === "argv" ? "words" : "line", scopes };
}

/** The folder that the call names. Its arguments are the model's own text, so they may be anything. */
function folderOf(state: RunState, { agent, call }: ApprovalState): string | null {
  const asked = findAgent(state, agent)?.calls.find(({ id }) => id === call);
  try {
    const input: unknown = JSON.parse(asked?.arguments ?? "null");
    if (typeof input !== "object" || input === null || !("cwd" in input) || typeof input.cwd !== "string") return null;
    return input.cwd === "." || input.cwd === "" ? null : excerptOf(input.cwd, longest.short);
  } catch {
    return null;
  }
}

/** The agent's turns up to the one that asks. */
function turnsUpTo(events: readonly RunEvent[], { id, agent }: ApprovalState): readonly EventOf<"model.completed">[] {
  const asked = events.findIndex((event) => event.type === "approval.requested" && event.data.approval === id);
  return events
    .slice(0, asked + 1)
    .filter((event): event is EventOf<"model.completed"> => event.type === "model.completed" && event.agent === agent);
}

/** A turn that only called tools said nothing. What was said before a change set was handed in is its result, not a reason; nobody asks for opposite verdicts. */
function saidIn(turns: readonly EventOf<"model.completed">[], { kind }: ApprovalState): string | null {
  const text = turns.at(-1)?.data.text.trim() ?? "";
  return kind === "changeset" || kind === "reconcile" || text === "" ? null : excerptOf(text, longest.short);
}

function sentOf(events: readonly RunEvent[], { agent }: ApprovalState): ApprovalPage["sent"] {
  const handoff = events.find(
    (event): event is EventOf<"handoff.recorded"> => event.type === "handoff.recorded" && event.data.subagent === agent,
  );
  if (!handoff) return null;
  const { reason } = handoff.data;
  return { at: handoff.at, reason: reason === undefined ? null : excerptOf(reason, longest.short) };
}

function decisionOf({ decision, by, decidedAt, comment, scope }: ApprovalState): ApprovalPage["decision"] {
  if (decision === null || decidedAt === null) return null;
  return {
    decision,
    by: by ?? "",
    at: decidedAt,
    comment: comment === null ? null : excerptOf(comment, longest.short),
    scope,
  };
}
