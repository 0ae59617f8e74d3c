// A fork: another run's journal up to one of its moments, told again as the journal of a new run, with everything that
// was under way brought to an end. Only decides; copying commits and storing events are its caller's.

import type { AgentId, Oid, RunId } from "../../shared/contract/ids.ts";
import { answer } from "./decisions/answer.ts";
import { withdraw } from "./decisions/decided.ts";
import { type DraftEvent, type EventData, type RunEvent, versionOf } from "./events.ts";
import type { Target } from "./records.ts";
import { evolve, fold } from "./evolve.ts";
import { isAnyUnknown } from "./prices.ts";
import { isTerminal } from "./lifecycle.ts";
import {
  type ApprovalState,
  type CallState,
  type ChangeSetState,
  findChangeSet,
  type NodeState,
  rootBaseOf,
  type RunState,
  streamOf,
} from "./state.ts";

/** What a fork is to be. */
export interface ForkPlan {
  readonly run: RunId;
  /** Where its work begins: the line of the moment, or a commit that a person chose instead. */
  readonly base: Oid;
  readonly target: Target;
  /** Epoch ms: when it is forked. */
  readonly now: number;
}

const sentence = "The run was forked from a moment at which this was not done.";
const code = "FORKED";

/**
 * The journal of the fork of `history`: the events of another run from its first to the moment that is forked from, none
 * missing. The fork's own begin with what ends requests, calls, landings, subagents and approvals, and the last is
 * `run.forked`. Hashes and `pos` are the store's; ended subagents are still to be settled, by whoever carries out the
 * fork's duties.
 */
export function forkJournal(history: readonly RunEvent[], plan: ForkPlan): readonly RunEvent[] {
  const last = history.at(-1);
  const before = fold(history);
  if (!last || !before) throw new Error("A fork needs a moment of a journal");
  const { budget, wallMs } = allowanceIn(history);
  const told = new Retelling(plan.run);
  const names = namesFor(last.root, before.target, plan);
  // A copy keeps its time and its ordinal; the command that it came of was another run's.
  for (const event of history) told.push(retold(event, names, plan), event.at, event.version);
  told.add(cutTurns(told.state()), plan.now);
  told.add(cutLandings(told.state()), plan.now);
  told.add(endSubagents(told.state()), plan.now);
  told.add(answerSpawns(told.state()), plan.now);
  told.add(withdrawQuestions(told.state()), plan.now);
  const data = { origin: last.root, at: last.n, hash: last.hash, base: rootBaseOf(before), budget, wallMs };
  told.add([{ agent: "lead", type: "run.forked", data }], plan.now);
  return told.events;
}

/** Whether what the run lands goes first to a branch of its own: a fork of it then gets another. */
export function hasOwnBranch({ options }: RunState): boolean {
  return options.approve === "final" || options.landOn.kind === "run-branch";
}

/** The subagents that a fork at this state shows as cancelled, by id. */
export function unfinishedAt(state: RunState): readonly AgentId[] {
  return state.nodes.filter((node) => !isTerminal(node.status) && !hasLanded(state, node)).map((node) => node.id);
}

function hasLanded(state: RunState, { changeSet }: NodeState): boolean {
  return findChangeSet(state, changeSet)?.status === "landed";
}

function createdOf(history: readonly RunEvent[]): EventData["run.created"] {
  const [created] = history;
  if (created?.type !== "run.created") throw new Error("A journal begins with run.created");
  return created.data;
}

/** What the run may use by its options, those that it was given since among them. More that was asked for and given was the other run's. */
function allowanceIn(history: readonly RunEvent[]): Pick<EventData["run.created"], "budget" | "wallMs"> {
  let { budget, wallMs } = createdOf(history);
  for (const { type, data } of history) {
    if (type !== "options.set") continue;
    budget = { ...budget, ...data.budget, ...(isAnyUnknown(data) ? { costMicros: null } : {}) };
    if (data.wallMs !== undefined) wallMs = data.wallMs;
  }
  return { budget, wallMs };
}

/** Events in the making: the copies under the fork's names, then its own, each folded at once. */
class Retelling {
  readonly events: RunEvent[] = [];
  readonly #root: RunId;
  readonly #heads = new Map<RunId, number>();
  #state: RunState | null = null;

  constructor(root: RunId) {
    this.#root = root;
  }

  add(drafts: readonly DraftEvent[], at: number): void {
    for (const draft of drafts) this.push(draft, at, versionOf(draft.type));
  }

  state(): RunState {
    if (!this.#state) throw new Error("A journal begins with run.created");
    return this.#state;
  }

  push(draft: DraftEvent, at: number, version: number): void {
    const root = this.#root;
    const run = streamOf(root, draft.agent);
    const seq = (this.#heads.get(run) ?? 0) + 1;
    this.#heads.set(run, seq);
    const event: RunEvent = { ...draft, n: this.events.length + 1, pos: 0, run, root, seq, at, version, hash: "" };
    this.events.push(event);
    this.#state = evolve(this.#state, event);
  }
}

/** How what is named after one run is named after another. */
interface Names {
  id<Id extends string>(id: Id): Id;
  place(path: string): string;
  ref(name: string): string;
  /** What landed on the run's own target stands on the line that the fork's branch begins at. */
  target(landed: Target): Target;
  /** The same where only the branch is named. */
  branch(name: string): string;
}

function namesFor(from: RunId, former: Target, { run, target }: ForkPlan): Names {
  return {
    id: (id) => (id.startsWith(`${from}-`) ? `${run}${id.slice(from.length)}` : id) as typeof id,
    place: (path) => path.replace(`/${from}-`, `/${run}-`),
    ref: (name) => name.replace(`refs/coppice/${from}/`, `refs/coppice/${run}/`),
    target: (landed) => (landed.ref === former.ref ? target : landed),
    branch: (name) => (name === former.branch ? target.branch : name),
  };
}

/** Fields of any event that name something by an id that begins with its run's. */
const namingFields: ReadonlySet<string> = new Set(["approval", "landing", "undoes", "childRun"]);

/** The event in the fork's words. */
function retold(event: RunEvent, names: Names, plan: ForkPlan): DraftEvent {
  const fields = Object.entries(event.data).map(([name, value]: [string, unknown]) =>
    namingFields.has(name) && typeof value === "string" ? [name, names.id(value)] : [name, value],
  );
  // The same fields with the same types: only what ids begin with has changed.
  const { agent, type, data } = { ...event, data: Object.fromEntries(fields) as object } as RunEvent;
  switch (type) {
    case "run.created": {
      const { base, target } = plan;
      return { agent, type, data: { ...data, base, target: target.branch, targetRef: target.ref } };
    }
    case "options.set": {
      // The fork has a target from its start.
      const { target: _former, ...others } = data;
      return { agent, type, data: others };
    }
    case "subagent.started":
      return data.worktree === undefined
        ? { agent, type, data }
        : { agent, type, data: { ...data, worktree: names.place(data.worktree) } };
    case "worktree.pinned":
      return { agent, type, data: { ...data, path: names.place(data.path), ref: names.ref(data.ref) } };
    case "worktree.created":
    case "worktree.provisioned":
    case "worktree.rebased":
    case "worktree.removed":
      return { agent, type, data: { ...data, path: names.place(data.path) } } as DraftEvent;
    case "changeset.proposed":
      return { agent, type, data: { ...data, ref: names.ref(data.ref) } };
    case "changeset.landing": {
      const { ref, branch: target } = names.target({ ref: data.ref, branch: data.target });
      return { agent, type, data: { ...data, ref, target } };
    }
    case "changeset.landed":
      return { agent, type, data: { ...data, target: names.branch(data.target) } };
    case "landing.undone":
      return { agent, type, data: { ...data, by: names.id(data.by) } };
    default:
      return { agent, type, data } as DraftEvent;
  }
}

/** Requests whose answer goes to the other run, and calls that are carried out there. */
function cutTurns(state: RunState): readonly DraftEvent[] {
  return [state.lead, ...state.nodes].flatMap((agent): readonly DraftEvent[] => [
    ...(agent.request === null
      ? []
      : [{ agent: agent.id, type: "model.lost", data: { request: agent.request.id } } as const]),
    ...agent.calls.filter((call) => call.status === "dispatched").map((call) => cutCall(agent.id, call)),
  ]);
}

function cutCall(agent: AgentId, call: CallState): DraftEvent {
  const isPure = call.class === "pure";
  return {
    agent,
    type: "tool.settled",
    data: {
      call: call.id,
      tool: call.tool,
      outcome: isPure ? "not_applied" : "cancelled",
      durationMs: 0,
      output: isPure ? `Not carried out: ${sentence} Ask again if you still need it.` : `Cut off: ${sentence}`,
      resultHash: `cut:${call.id}`,
    },
  };
}

/** A landing that was under way is the other run's; here it is as if it had never begun. */
function cutLandings(state: RunState): readonly DraftEvent[] {
  return state.landings
    .filter((landing) => landing.status === "begun")
    .map((landing): DraftEvent =>
      landing.undoes === null
        ? {
            agent: "lead",
            type: "changeset.held",
            data: { changeset: landing.changeset, code, sentence, landing: landing.id },
          }
        : { agent: "lead", type: "landing.failed", data: { landing: landing.id, code, sentence } },
    );
}

/** Between a landing and what follows from it, a subagent that has landed is done all the same. */
function endSubagents(state: RunState): readonly DraftEvent[] {
  return state.nodes
    .filter((node) => !isTerminal(node.status))
    .map(({ id: agent, status }): DraftEvent =>
      status === "landing"
        ? { agent, type: "subagent.stopped", data: { status: "completed" } }
        : { agent, type: "subagent.stopped", data: { status: "cancelled", code, sentence } },
    );
}

/** Between a handoff and the answer that names it, the answer is given all the same: nothing is handed off twice. */
function answerSpawns({ lead, nodes }: RunState): readonly DraftEvent[] {
  return lead.calls
    .filter((call) => call.status === "open" && call.tool === "spawnSubagent")
    .flatMap((call): readonly DraftEvent[] => {
      const node = nodes.findLast(({ key }) => key.endsWith(`:lead-t${lead.requestCount}:${call.id}`));
      if (!node) return [];
      return [answer("lead", call.id, call.tool, { subagentId: node.id, status: node.status, code })];
    });
}

/** Open questions go with what they are about; a question of the lead's is asked anew when the fork goes on. */
function withdrawQuestions(state: RunState): readonly DraftEvent[] {
  const questions = state.approvals
    .filter((approval) => approval.status === "open" || isUnanswered(state, approval))
    .map((approval) => withdraw(approval, sentence));
  const reviews = state.changeSets.filter(isOpenLine).map((set): DraftEvent => ({
    agent: "lead",
    type: "changeset.dropped",
    data: { changeset: set.id, reason: sentence },
  }));
  return [...questions, ...reviews];
}

/** Between a decision and the answer that follows from it, the question counts as not asked. */
function isUnanswered({ lead }: RunState, { kind, agent, call, status }: ApprovalState): boolean {
  const isOpen = lead.calls.some((one) => one.id === call && one.status === "open");
  return status === "decided" && kind === "question" && agent === "lead" && isOpen;
}

function isOpenLine({ agent, status }: ChangeSetState): boolean {
  return agent === "lead" && (status === "open" || status === "approved" || status === "held");
}
