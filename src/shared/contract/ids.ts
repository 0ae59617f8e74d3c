// Names of things that both processes pass around. Ids are never reused.

import type { Brand } from "../lib/brand.ts";

/** One task given to Coppice, from assignment to stop. Also names the run's own stream of events. */
export type RunId = Brand<string, "RunId">;

/** `lead`, or `subagent-N` with N counted from 1 in the order of creation. */
export type AgentId = "lead" | SubagentId;
export type SubagentId = `subagent-${number}`;

/** Chosen by the sender; the same id sent again answers with the same receipt. */
export type CommandId = Brand<string, "CommandId">;

export type ApprovalId = Brand<string, "ApprovalId">;
export type ChangeSetId = Brand<string, "ChangeSetId">;
export type LandingId = Brand<string, "LandingId">;

/** One start of one process that opened the store. */
export type BootId = Brand<string, "BootId">;

/** A git object name, lower-case hex, 40 or 64 characters. */
export type Oid = Brand<string, "Oid">;

const subagentPattern = /^subagent-[1-9]\d*$/;

export function isSubagentId(text: string): text is SubagentId {
  return subagentPattern.test(text);
}

/** `subagentId(3)` is `subagent-3`. `ordinal` counts from 1. */
export function subagentId(ordinal: number): SubagentId {
  return `subagent-${ordinal}`;
}
