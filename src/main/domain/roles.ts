// What a role is, as data. The built-in ones live in agents/roles.ts and arrive here as a fact, so that the
// core knows no role by name.

import type { Balances } from "../../shared/contract/options.ts";
import { type EffectRank, effectRanks, type RoleName } from "./records.ts";

/** A role: which tools, up to which effect, how long, on how much. `null` in a balance = the role sets no ceiling of its own. */
export interface RoleSpec {
  readonly name: RoleName;
  readonly tools: readonly string[];
  readonly ceiling: EffectRank;
  readonly steps: number;
  readonly budget: Balances;
  /** What it edits becomes a change set; the worktree of a role that only runs things is thrown away. */
  readonly proposes: boolean;
  /** Its dependency on an executor is met by the proposal, unless said otherwise. */
  readonly readsProposals: boolean;
}

export type RoleTable = Readonly<Record<RoleName, RoleSpec>>;

/** Whether `rank` lies within `ceiling`. */
export function isWithin(rank: EffectRank, ceiling: EffectRank): boolean {
  return effectRanks.indexOf(rank) <= effectRanks.indexOf(ceiling);
}

/** A node gets a worktree of its own when its ceiling is at least `write`. */
export function needsWorktree(role: RoleSpec): boolean {
  return isWithin("write", role.ceiling);
}
