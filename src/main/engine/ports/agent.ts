// What the engine asks of an agent: go on until your state says otherwise. A seat is all that an agent sees of the run
// that it works in; another process that holds the child's lease could offer the same seat.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Json } from "../../../shared/lib/json.ts";
import type { Failure, Result } from "../../../shared/lib/result.ts";
import type { Command } from "../../domain/commands.ts";
import type { RunEvent } from "../../domain/events.ts";
import type { CallState, RunState } from "../../domain/state.ts";
import type { WorkPlace } from "./git.ts";

/** What became of a command: its committed events, or why it was refused. */
export type Receipt = Result<
  { readonly events: readonly RunEvent[]; readonly state: RunState; readonly answer?: Json },
  Failure
>;

/** What a call prints, kept while it is under way. `close` once its outcome is on record: the note goes then. */
export interface OutputNote {
  add(text: string): void;
  close(): Promise<void>;
}

export interface Seat {
  readonly agent: AgentId;
  /** Aborts when the agent is no longer owed a drive: ended, paused, cancelled, or driven elsewhere. */
  readonly signal: AbortSignal;
  state(): RunState;
  /** The merged journal so far, in ordinal order. */
  journal(): readonly RunEvent[];
  dispatch(command: Command): Promise<Receipt>;
  /** Resolves once the state is past ordinal `n`, after `withinMs` at the latest when given, or when the signal aborts. */
  untilPast(n: number, withinMs?: number): Promise<void>;
  /** The folder that this agent's tools are bound to. Made when it is not there yet. */
  place(): Promise<Result<WorkPlace>>;
  /** Folders of the run: a private home for commands, and where new git objects of this agent go. */
  readonly privateHome: string;
  readonly objectFolder: string;
  /** Folders that no command may see. */
  readonly hidden: readonly string[];
  /** Shows streamed text as it comes; it is provisional and never stored from here. */
  live(text: string): void;
  /** Says that something with a limit of its own is in flight. Returns the way to say that it has ended. */
  inFlight(kind: "model" | "tool" | "command", name: string): () => void;
  /** Whether this process surely holds the run right now: asked in the very moment before an act. */
  isHeld(): boolean;
  /** Notes what a call prints, for whoever is asked about it after a crash. */
  noteOutput(call: string): OutputNote;
  /** Data arrived: the agent is alive. */
  touch(): void;
}

export interface AgentPort {
  /** Resolves when the agent has nothing more to do, or soon after the signal aborts. Rejects only on a defect. */
  drive(seat: Seat): Promise<void>;
  /** After a crash between dispatch and settlement: whether a verifiable call happened. */
  verify(seat: Seat, call: CallState): Promise<"applied" | "not_applied" | "third_state">;
}
