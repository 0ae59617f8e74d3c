// What a tool is: its name and schema for the model, its effect rank, and how it acts. Roots are bound when a
// node's tools are built; arguments are never rewritten.

import type { z } from "zod";
import type { AgentId, ChangeSetId, Oid } from "../../../shared/contract/ids.ts";
import type { EffectClass, EffectRank, FileChange, RepositoryFacts } from "../../domain/records.ts";
import type { CommandPort } from "../../engine/ports/command.ts";
import type { GitPort, WorkPlace } from "../../engine/ports/git.ts";

/** Files as this agent last saw or wrote them: path relative to the root → SHA-256 of the bytes, `null` = it saw that nothing was there. */
export type SeenFiles = ReadonlyMap<string, string | null>;

/** What a tool may know of the node it works for. */
export interface ToolContext {
  readonly agent: AgentId;
  readonly place: WorkPlace;
  readonly repo: RepositoryFacts;
  readonly git: GitPort;
  readonly commands: CommandPort;
  /** Paths of the node's claim; `null` = nothing is claimed. */
  readonly claim: readonly string[] | null;
  readonly seen: SeenFiles;
  readonly network: "on" | "off";
  readonly privateHome: string;
  readonly objectFolder: string;
  readonly hidden: readonly string[];
  readonly tag: string;
  /** The change set a call may read: of the named subagent, or the one this node was sent to review. `null` when there is none. */
  findChangeSet(subagent: string | undefined): {
    readonly id: ChangeSetId;
    readonly base: Oid;
    readonly commit: Oid;
    readonly files: readonly FileChange[];
  } | null;
  readonly signal: AbortSignal;
  /** Whether this process still drives the run: asked right before files are put in place. */
  isHeld(): boolean;
  onOutput(text: string): void;
}

/** What a call answers. `output` is what the model reads and the journal keeps, capped and redacted by the caller. Errors of the tool are answers, not exceptions. */
export interface ToolAnswer {
  readonly outcome: "executed" | "failed" | "cancelled";
  readonly output: string;
  /** UPPER_SNAKE, on `failed`. */
  readonly code?: string;
  readonly exitCode?: number | null;
  readonly seen?: { readonly [path: string]: string | null };
  readonly changedState?: boolean;
}

/** A tool that acts on the world through a dispatch and a settlement. `parse` is the edge: what does not fit is refused by field, before any dispatch. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: what it does, when to use it, its limits. */
  readonly description: string;
  readonly effect: EffectRank;
  readonly class: EffectClass;
  /** May run beside other safe calls of the same turn. */
  readonly isConcurrencySafe: boolean;
  readonly parameters: z.ZodType<Input>;
  run(input: Input, context: ToolContext): Promise<ToolAnswer>;
  /** After a crash between dispatch and settlement: did it happen? Only for `verifiable` tools; everything it needs is in the recorded input and the world. */
  verify?(input: Input, context: ToolContext): Promise<"applied" | "not_applied" | "third_state">;
}

/** `{ error: { code, message, hint? } }` as the model reads it. */
export function toolError(code: string, message: string, hint?: string): ToolAnswer {
  return {
    outcome: "failed",
    code,
    output: JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } }),
  };
}
