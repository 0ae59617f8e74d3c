// `decide(state, command, facts)`: what a command becomes. With `transact` its consequences join it, so that one
// command is one transaction.

import type { Json } from "../../shared/lib/json.ts";
import type { Command, Facts, Rejection } from "./commands.ts";
import { nextConsequences } from "./consequences.ts";
import * as agent from "./decisions/agent.ts";
import * as controls from "./decisions/control.ts";
import { type Decision, isRejected } from "./decisions/decision.ts";
import * as effect from "./decisions/effect.ts";
import * as node from "./decisions/node.ts";
import * as approval from "./decisions/approval.ts";
import * as landing from "./decisions/landing.ts";
import * as notepad from "./decisions/notepad.ts";
import * as review from "./decisions/review.ts";
import * as run from "./decisions/run.ts";
import type { DraftEvent, RunEvent } from "./events.ts";
import { versionOf } from "./events.ts";
import { evolve } from "./evolve.ts";
import { rolesOf } from "./roles.ts";
import { requireNode, type RunState, streamOf } from "./state.ts";
import type { RunId } from "../../shared/contract/ids.ts";

/** A rule that never ends would hang the run in silence; this many follow-ups of one command are a defect. */
const maxConsequences = 10_000;

export interface Transaction {
  /** In commit order; ordinals and heads as they will be when nothing else was committed meanwhile. */
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  readonly answer?: Json;
}

/** Decides a command and everything that follows from it by the rules. `heads` are the last `seq` of each stream; hashes are the store's. */
export function transact(
  state: RunState | null,
  command: Command,
  facts: Facts,
  heads: (run: RunId) => number,
): Transaction | { readonly rejection: Rejection } {
  const commandId = "commandId" in command ? command.commandId : undefined;
  if (state && commandId !== undefined && Object.hasOwn(state.receipts, commandId)) return { events: [], state };
  const ruling = state ? { ...facts, roles: rolesOf(state.roles, facts.roles) } : facts;
  const decision = state ? decide(state, command, ruling) : begin(command);
  if (isRejected(decision)) return decision;
  const draft = new Draft(state, command, facts.now, heads, commandId);
  draft.add(decision.events);
  for (let round = 0; ; round++) {
    const more = nextConsequences(draft.current(), ruling);
    if (more.length === 0) break;
    if (round > maxConsequences) throw new Error(`The consequences of ${command.type} do not end: ${more[0]?.type}`);
    draft.add(more);
  }
  draft.add(answersOf(draft.current(), command, decision.events));
  if (commandId !== undefined && draft.events.length === 0) draft.add([answered(command)]);
  return {
    events: draft.events,
    state: draft.current(),
    ...(decision.answer === undefined ? {} : { answer: decision.answer }),
  };
}

/** What a command alone becomes, without consequences. */
export function decide(state: RunState, command: Command, facts: Facts): Decision {
  switch (command.type) {
    case "run.create":
      return { rejection: { code: "NOT_ALLOWED_NOW", sentence: "The run exists already." } };
    case "run.start":
      return run.start(state, command, facts);
    case "run.admit":
      // Admission follows from every command that a driver gives.
      return { events: [] };
    case "run.override":
      return run.override(state, command, facts);
    case "run.recover":
      return run.recover(state, command, facts);
    case "run.interrupt":
      return run.interrupt(state, command, facts);
    case "run.cancel":
      return run.cancel(state, command, facts);
    case "run.pause":
      return run.pause(state, command, facts);
    case "run.resume":
      return run.resume(state, command, facts);
    case "run.input":
      return run.input(state, command, facts);
    case "run.rename":
      return run.rename(state, command, facts);
    case "run.rebind":
      return run.rebind(state, command, facts);
    case "run.expire":
      return run.expire(state, command, facts);
    case "run.stop":
      return run.stop(state, command, facts);
    case "note.add":
      return notepad.addNote(state, command, facts);
    case "note.retract":
      return notepad.retractNote(state, command, facts);
    case "lead.abandonChildren":
      return run.abandonChildren(state, command, facts);
    default:
      return decideForAgent(state, command, facts);
  }
}

type AgentCommand = Exclude<Command, { type: `run.${string}` | `note.${string}` | "lead.abandonChildren" }>;

function decideForAgent(state: RunState, command: AgentCommand, facts: Facts): Decision {
  switch (command.type) {
    case "agent.request":
      return agent.request(state, command, facts);
    case "agent.complete":
      return agent.complete(state, command, facts);
    case "agent.summarize":
      return agent.summarize(state, command, facts);
    case "agent.failRequest":
      return agent.failRequest(state, command, facts);
    case "agent.retry":
      return agent.retry(state, command, facts);
    case "agent.compact":
      return agent.compact(state, command, facts);
    case "agent.loseRequest":
      return agent.loseRequest(state, command, facts);
    case "agent.control":
      return controls.control(state, command, facts);
    case "agent.refuse":
      return agent.refuse(state, command, facts);
    case "agent.dispatch":
      return agent.dispatch(state, command, facts);
    case "agent.settle":
      return agent.settle(state, command, facts);
    case "agent.submit":
      return agent.submit(state, command, facts);
    case "agent.repair":
      return agent.repair(state, command, facts);
    case "agent.fail":
      return agent.fail(state, command, facts);
    case "agent.check":
      return agent.check(state, command, facts);
    default:
      return decideForWork(state, command, facts);
  }
}

type WorkCommand = Exclude<AgentCommand, { type: `agent.${string}` }>;

function decideForWork(state: RunState, command: WorkCommand, facts: Facts): Decision {
  switch (command.type) {
    case "node.settle":
      return node.settle(state, command, facts);
    case "place.create":
      return node.createPlace(state, command, facts);
    case "place.provision":
      return node.provisionPlace(state, command, facts);
    case "place.pin":
      return node.pinPlace(state, command, facts);
    case "place.remove":
      return node.removePlace(state, command, facts);
    case "place.rebase":
      return node.rebasePlace(state, command, facts);
    case "changeset.propose":
      return review.propose(state, command, facts);
    case "changeset.empty":
      return review.proposeNothing(state, command, facts);
    case "verification.record":
      return review.recordVerification(state, command, facts);
    case "verification.close":
      return review.closeVerification(state, command, facts);
    case "effect.ask":
      return effect.askAboutEffect(state, command, facts);
    case "approval.request":
      return approval.requestApproval(state, command, facts);
    case "approval.decide":
      return approval.decideApproval(state, command, facts);
    case "landing.begin":
      return landing.beginLanding(state, command, facts);
    case "landing.finish":
      return landing.finishLanding(state, command, facts);
    case "landing.hold":
      return landing.holdLanding(state, command, facts);
    case "landing.retry":
      return landing.retryLanding(state, command, facts);
    case "line.propose":
      return landing.proposeLine(state, command, facts);
    case "undo.begin":
      return landing.beginUndo(state, command, facts);
    case "undo.finish":
      return landing.finishUndo(state, command, facts);
    case "undo.fail":
      return landing.failUndo(state, command, facts);
  }
}

function begin(command: Command): Decision {
  if (command.type !== "run.create")
    return { rejection: { code: "RUN_NOT_FOUND", sentence: `There is no run yet to ${command.type}.` } };
  return { events: [{ agent: "lead", type: "run.created", data: command.data }] };
}

/** A spawn's answer names the status that scheduling gave its node, so it comes after the consequences. */
function answersOf(state: RunState, command: Command, decided: readonly DraftEvent[]): readonly DraftEvent[] {
  if (command.type !== "agent.control") return [];
  const recorded = decided.find((event) => event.type === "handoff.recorded");
  if (recorded?.type !== "handoff.recorded") return [];
  const { subagent, warnings } = recorded.data;
  return [controls.answerSpawn(command.agent, command.call, requireNode(state, subagent), warnings)];
}

/** The record of a command that changed nothing; its id stands with the event, as with any other. */
function answered(command: Command): DraftEvent {
  const asked = Object.fromEntries(Object.entries(command).filter(([name]) => name !== "commandId"));
  return { agent: "lead", type: "command.answered", data: { command: asked } };
}

/** Events in the making: numbers them, and folds each at once so that the next rule sees it. */
class Draft {
  readonly events: RunEvent[] = [];
  #state: RunState | null;
  readonly #heads = new Map<RunId, number>();
  readonly #root: RunId;
  readonly #now: number;
  readonly #headOf: (run: RunId) => number;
  #commandId: string | undefined;

  constructor(
    state: RunState | null,
    command: Command,
    now: number,
    headOf: (run: RunId) => number,
    commandId: string | undefined,
  ) {
    this.#state = state;
    this.#root = state?.run ?? (command.type === "run.create" ? command.run : ("" as RunId));
    this.#now = now;
    this.#headOf = headOf;
    this.#commandId = commandId;
  }

  add(drafts: readonly DraftEvent[]): void {
    for (const draft of drafts) {
      const run = streamOf(this.#root, draft.agent);
      const seq = (this.#heads.get(run) ?? this.#headOf(run)) + 1;
      this.#heads.set(run, seq);
      const event: RunEvent = {
        ...draft,
        n: (this.#state?.n ?? 0) + 1,
        pos: 0,
        run,
        root: this.#root,
        seq,
        at: this.#now,
        version: versionOf(draft.type),
        hash: "",
        // The receipt hangs on the first event of a command that came from outside.
        ...(this.#commandId === undefined ? {} : { command: this.#commandId }),
      };
      this.#commandId = undefined;
      this.events.push(event);
      this.#state = evolve(this.#state, event);
    }
  }

  current(): RunState {
    if (!this.#state) throw new Error("A transaction begins with run.created");
    return this.#state;
  }
}
