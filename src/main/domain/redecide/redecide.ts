// Decides a run once more: what its journal recorded from outside is given to today's rules, and what they make of it
// must be what the journal has. Changes nothing, and asks nothing of the world: time, chance and capacity are read from
// the journal too.

import type { RunId } from "../../../shared/contract/ids.ts";
import { canonicalJson } from "../../../shared/lib/json.ts";
import type { Command, Facts } from "../commands.ts";
import { type Transaction, transact } from "../decide.ts";
import type { RunEvent } from "../events.ts";
import { evolve } from "../evolve.ts";
import type { RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";
import { capacitiesAt, momentAt } from "./capacity.ts";
import { inputsOf, type Place } from "./inputs.ts";

/** What today's rules need beside the journal. */
export interface Rules {
  readonly roles: RoleTable;
  readonly hash: Facts["hash"];
  readonly parse: Place["parse"];
}

/** An event that today's rules would not have made here. */
export interface Difference {
  readonly n: number;
  readonly recorded: Pick<RunEvent, "agent" | "type" | "data">;
  /** What they make in its place; `null`: nothing that the journal records leads to it. */
  readonly today: Pick<RunEvent, "agent" | "type" | "data"> | null;
}

export interface Redecided {
  /** Events that were decided once more, of all those that the journal has. */
  readonly decided: number;
  readonly events: number;
  readonly differences: readonly Difference[];
}

/** An event may be the first trace of a command, or follow after so many others of it. */
const furthest = 4;
/** What a command is read from stands so close to its first event; all calls of a turn may be settled before their agent is. */
const furthestNext = 12;

/** Decides a merged journal once more, from its beginning, or of a fork from where its own history begins. Total: what the rules throw at is a difference. */
export function redecide(journal: readonly RunEvent[], rules: Rules): Redecided {
  const begin = journal.findLastIndex(({ type }) => type === "run.forked") + 1;
  const differences: Difference[] = [];
  const heads = new Map<RunId, number>();
  let state: RunState | null = null;
  let decided = 0;
  for (let at = 0; at < journal.length;) {
    const match: Match = at < begin ? copied : matchAt(journal, at, state, heads, rules);
    const differing = match.isWhole ? undefined : journal[at + match.count];
    if (differing !== undefined && differing.type !== "payload.erased")
      differences.push({ n: differing.n, recorded: partsOf(differing), today: match.today });
    if (at >= begin) decided += match.count;
    const passed = journal.slice(at, at + match.count + (differing === undefined ? 0 : 1));
    for (const event of passed) {
      heads.set(event.run, event.seq);
      state = evolve(state, event);
    }
    at += passed.length;
  }
  return { decided, events: journal.length - begin, differences };
}

/** How far the journal is what one command becomes: all of it, or up to an event that would be `today` instead. */
interface Match {
  readonly count: number;
  readonly isWhole: boolean;
  readonly today: Difference["today"];
}

/** What a fork took over was decided in another run. */
const copied: Match = { count: 1, isWhole: true, today: null };

function matchAt(
  journal: readonly RunEvent[],
  at: number,
  state: RunState | null,
  heads: ReadonlyMap<RunId, number>,
  rules: Rules,
): Match {
  const worlds = factsAt(journal, at, state, rules);
  let best: Match = { count: 0, isWhole: false, today: null };
  for (let ahead = 0; ahead < furthest && !best.isWhole; ahead++) {
    for (const command of commandsAt(journal, at, ahead, state, rules)) {
      const isSilent = command.type === "run.admit" || journal[at + ahead]?.type === "command.answered";
      for (const facts of worlds) {
        const made = attempt(state, command, facts, heads);
        if (made.length === 0) continue;
        const match = compare(made, journal, at);
        if (isBetter(match, best, ahead === 0 ? journal[at + match.count] : undefined)) best = match;
        // Whatever the world was, the command's own event comes first; one that changed nothing has none.
        if (match.isWhole || (match.count === 0 && !isSilent)) break;
      }
    }
  }
  return best;
}

function compare(made: readonly RunEvent[], journal: readonly RunEvent[], at: number): Match {
  const differs = made.findIndex((event, index) => !isSame(event, journal[at + index]));
  const other = made[differs];
  return other === undefined
    ? { count: made.length, isWhole: true, today: null }
    : { count: differs, isWhole: false, today: partsOf(other) };
}

/** The whole one, the longer one, and of two that differ at the same event the one that is more like it. `recorded` is that event, for a command that was read from the first; one that was read from a later event may be another's, whatever it is like. */
function isBetter(match: Match, than: Match, recorded: RunEvent | undefined): boolean {
  if (match.isWhole !== than.isWhole) return match.isWhole;
  if (match.count !== than.count) return match.count > than.count;
  if (match.isWhole || match.today === null) return false;
  if (than.today === null) return true;
  return recorded !== undefined && likeness(match.today, recorded) > likeness(than.today, recorded);
}

function likeness(today: NonNullable<Difference["today"]>, recorded: RunEvent): number {
  if (today.type !== recorded.type || today.agent !== recorded.agent) return 0;
  return 1 / (1 + differingFields(today, recorded).length);
}

/** The fields of two events' data that are not the same. */
export function differingFields(one: Pick<RunEvent, "data">, other: Pick<RunEvent, "data">): readonly string[] {
  const [left, right] = [one.data, other.data].map((data) => new Map(Object.entries(data)));
  const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  return [...names].filter((name) => textOf(left?.get(name)) !== textOf(right?.get(name)));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : canonicalJson(value);
}

/** The commands that what stands here may have come of, as the event `ahead` of it records them; or, of none but the rules. */
function commandsAt(
  journal: readonly RunEvent[],
  at: number,
  ahead: number,
  state: RunState | null,
  { parse }: Rules,
): readonly Command[] {
  const event = journal[at + ahead];
  if (event === undefined) return [];
  if (state === null)
    return event.type === "run.created" ? [{ type: "run.create", run: event.root, data: event.data }] : [];
  const next = journal.slice(at + ahead + 1, at + ahead + 1 + furthestNext);
  return [...inputsOf(event, { state, next, parse }), ...(ahead === 0 ? [{ type: "run.admit" } as const] : [])];
}

/** The world as it may have been: whether whoever decided drove the run, and what other runs held. */
function factsAt(journal: readonly RunEvent[], at: number, state: RunState | null, rules: Rules): readonly Facts[] {
  const { roles, hash } = rules;
  const { placesFolder, epoch } = placeAt(journal, at, state);
  const now = journal[at]?.at ?? 0;
  const base = { now, roles, hash, placesFolder, epoch, priceOf: priceAfter(journal, at) };
  const free = { runningElsewhere: 0, runningElsewhereByModel: {} };
  return [
    { ...base, isDriving: true, capacity: free },
    { ...base, isDriving: false, capacity: free },
    ...capacitiesAt(journal, at, state).map((capacity) => ({ ...base, isDriving: true, capacity })),
  ];
}

/** What a model costs that the lead names next: its handoff says so, or its refusal that it was not known. Where something else was refused, any price leads to it. */
function priceAfter(journal: readonly RunEvent[], at: number): Facts["priceOf"] {
  const next = journal
    .slice(at, at + furthest)
    .find(({ type }) => type === "handoff.recorded" || type === "handoff.refused");
  if (next?.type === "handoff.recorded") return () => next.data.price ?? null;
  const isUnknown = next?.type === "handoff.refused" && next.data.code === "NO_PRICE";
  return () => (isUnknown ? null : { input: 0, output: 0 });
}

/** Where worktrees were, and under which epoch: one that was begun then says so, or who took the run over. */
function placeAt(journal: readonly RunEvent[], at: number, state: RunState | null) {
  let epoch: number | null = null;
  for (const event of momentAt(journal, at)) {
    if (event.type === "run.resumed") epoch ??= event.data.epoch;
    if (event.type !== "subagent.started" || event.data.worktree === undefined) continue;
    const [, placesFolder = "", itsEpoch = ""] = /^(.*)\/[^/]*?-e(\d+)-[^/]*$/.exec(event.data.worktree) ?? [];
    return { placesFolder, epoch: epoch ?? Number(itsEpoch) };
  }
  return { placesFolder: "", epoch: epoch ?? state?.epoch ?? 1 };
}

function attempt(
  state: RunState | null,
  command: Command,
  facts: Facts,
  heads: ReadonlyMap<RunId, number>,
): Transaction["events"] {
  try {
    const outcome = transact(state, command, facts, (run) => heads.get(run) ?? 0);
    return "rejection" in outcome ? [] : outcome.events;
  } catch {
    // A command that does not fit the state at all is not the one that was given; that none fits is told.
    return [];
  }
}

function isSame(made: RunEvent, recorded: RunEvent | undefined): boolean {
  if (recorded === undefined || made.type !== recorded.type || made.agent !== recorded.agent) return false;
  // What one command becomes is recorded at one moment.
  if (made.at !== recorded.at) return false;
  return differingFields(made, recorded).length === 0;
}

function partsOf({ agent, type, data }: RunEvent): Pick<RunEvent, "agent" | "type" | "data"> {
  return { agent, type, data };
}
