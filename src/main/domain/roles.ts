// What a role is, as data. The built-in ones live in agents/roles.ts and arrive here as a fact, so that the
// core knows no role by name.

import type { Balances, RunOptions } from "../../shared/contract/options.ts";
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

/** A role that a file of the repository brings, as the run was started with it. It holds for this run alone. */
export interface OwnRole extends RoleSpec {
  /** What it is for, one line for whoever chooses. */
  readonly about: string;
  /** The file, within the repository. */
  readonly path: string;
  /** SHA-256 of the file's text, hex. */
  readonly hash: string;
  readonly instructions: string;
  /** The model of those who have it, where the lead names none; only one that the person has set up. */
  readonly model?: string;
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

/** The roles of a run: the built-in ones, and those that it was started with. A name of the first is never one of the second. */
export function rolesOf(own: readonly OwnRole[], builtIn: RoleTable): RoleTable {
  const more = own.filter(({ name }) => !Object.hasOwn(builtIn, name));
  return more.length === 0 ? builtIn : { ...builtIn, ...Object.fromEntries(more.map((role) => [role.name, role])) };
}

/** The model of a role's subagents where the lead names none: as a person has it for the role, else as the role's file has it, else the run's own. */
export function modelOfRole(
  { options, roles }: { readonly options: RunOptions; readonly roles: readonly OwnRole[] },
  role: RoleName,
): string {
  const { roleModels = {} } = options;
  return (Object.hasOwn(roleModels, role) ? roleModels[role] : findOwnRole(roles, role)?.model) ?? options.model;
}

/** The file of the repository that a role of this run comes from; `undefined` of a built-in one. */
export function findOwnRole(own: readonly OwnRole[], name: RoleName): OwnRole | undefined {
  return own.find((role) => role.name === name);
}
