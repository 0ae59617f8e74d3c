// The last line of `run`, `resume` and `watch`: what came of the run, as scripts read it.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { LandingSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";

export interface Summary {
  readonly type: "summary";
  readonly run: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly answer: string | null;
  readonly partial: boolean;
  readonly subagents: readonly {
    readonly id: string;
    readonly role: string;
    readonly status: string;
    readonly code?: string;
    readonly verification: string;
    readonly replaces?: string;
  }[];
  readonly landed: readonly LandingSnapshot[];
  readonly waiting: readonly { readonly id: string; readonly kind: string; readonly agent: AgentId }[];
  readonly usage: RunSnapshot["usage"];
  /** `null` = unknown. */
  readonly costUsd: number | null;
}

export function summaryOf(snapshot: RunSnapshot): Summary {
  return {
    type: "summary",
    run: snapshot.run,
    status: snapshot.status,
    stopReason: snapshot.stopReason,
    answer: snapshot.answer,
    partial: snapshot.partial,
    subagents: snapshot.subagents.map(({ id, role, status, code, verification, replaces }) => ({
      id,
      role,
      status,
      ...(code === undefined ? {} : { code }),
      verification,
      ...(replaces === undefined ? {} : { replaces }),
    })),
    landed: snapshot.landed,
    waiting: snapshot.approvals.map(({ id, kind, agent }) => ({ id, kind, agent })),
    usage: snapshot.usage,
    costUsd: snapshot.costUsd,
  };
}
