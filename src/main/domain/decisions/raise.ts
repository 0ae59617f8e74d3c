// More budget: asked for when a balance of the run is used up, before the lead's last turn. A yes raises the limit, a
// no leads to that turn. Where nobody can be asked, it comes at once.

import type { BalanceName } from "../../../shared/contract/options.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { BudgetRaise } from "../records.ts";
import type { ApprovalState, RunState } from "../state.ts";
import { recordOf } from "./decided.ts";
import { accept, type Decision, reject } from "./decision.ts";
import { hasNobodyToAsk, nextApproval } from "./nextApproval.ts";

type Decide = Extract<Command, { type: "approval.decide" }>;

const words: Readonly<Record<BalanceName, string>> = {
  steps: "steps",
  toolCalls: "tool calls",
  inputTokens: "input tokens",
  outputTokens: "output tokens",
  costMicros: "US dollars",
};

/** The question that comes before the lead's last turn; `null` where nobody is there to answer it. */
export function askForMore(state: RunState, balance: BalanceName): DraftEvent | null {
  const limit = state.budget.limit[balance];
  if (limit === null || hasNobodyToAsk(state)) return null;
  const used = state.budget.used[balance] + state.budget.reserved[balance];
  const raise: BudgetRaise = { balance, used, limit, by: Math.max(1, Math.ceil(limit / 2)) };
  return {
    agent: "lead",
    type: "approval.requested",
    data: {
      approval: nextApproval(state),
      kind: "budget",
      agent: "lead",
      summary: `Go on with ${amount(balance, raise.by)} more ${words[balance]}? ${amount(balance, used)} of ${amount(balance, limit)} are used or held.`,
      why: "Without more, the lead gets one last turn to sum up, and the run ends partial.",
      raise,
    },
  };
}

/** Yes adds what was asked for, for the run it takes the limit off; a number adds that much instead; no is the end of the budget. */
export function answerRaise(state: RunState, approval: ApprovalState, command: Decide): Decision {
  const { raise } = approval;
  if (raise === null || command.decision === "sent_back")
    return reject("BAD_USAGE", `${approval.id} asks for more budget: approve it, reject it, or answer with an amount.`);
  if (command.scope === "project")
    return reject(
      "BAD_USAGE",
      "More budget is for this run: --scope once adds what is asked for, run takes the limit off.",
    );
  const decided = recordOf(approval, command);
  if (command.decision === "rejected")
    return accept(decided, {
      agent: "lead",
      type: "budget.exhausted",
      data: { agent: "lead", balance: raise.balance },
    });
  const by = command.decision === "answered" ? readAmount(raise.balance, command.comment ?? "") : raise.by;
  if (by === null)
    return reject(
      "BAD_USAGE",
      `${approval.id} takes an amount of ${words[raise.balance]} to add, such as coppice answer ${approval.id} ${amount(raise.balance, raise.by)}.`,
    );
  const before = state.budget.limit[raise.balance] ?? raise.limit;
  const after = command.scope === "run" ? null : before + by;
  return accept(decided, {
    agent: "lead",
    type: "budget.set",
    data: { limit: { ...state.budget.limit, [raise.balance]: after }, by: command.by },
  });
}

/** Money is said in dollars, everything else in whole numbers. */
function readAmount(balance: BalanceName, text: string): number | null {
  const number = Number(text.trim().replace(/^\+/, ""));
  const whole = balance === "costMicros" ? Math.round(number * 1_000_000) : number;
  return text.trim() !== "" && Number.isSafeInteger(whole) && whole > 0 ? whole : null;
}

function amount(balance: BalanceName, value: number): string {
  return balance === "costMicros" ? (value / 1_000_000).toFixed(2) : String(value);
}
