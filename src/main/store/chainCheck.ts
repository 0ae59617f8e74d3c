// Whether the journal is whole: numbers without gaps, a chain of hashes that ends at the noted heads, payloads that are
// what was written. Of one run with its children, or of all. Reads only, repairs nothing.

import type { RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import { isUnavailable, toFailure } from "./failure.ts";
import { eventHash, genesisHash, sha256 } from "./hashChain.ts";
import type { ChainedEvent } from "./hashChain.ts";
import type { Connection } from "./openDatabase.ts";
import { findText } from "./payloads.ts";

interface Extent {
  readonly name: string;
  readonly count: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly noted: number;
}

/** A condition on `column`, or none for all runs, with the values it is asked with. */
function scope(column: string, root: RunId | null): { readonly where: string; readonly values: readonly RunId[] } {
  return root === null ? { where: "true", values: [] } : { where: `${column} = ?`, values: [root] };
}

/** One sentence for each stream or merged journal whose numbers have a gap or whose noted count differs. */
export function findGaps(db: Connection, root: RunId | null = null): readonly string[] {
  const { where, values } = scope("runs.root", root);
  const streams = db.prepare<RunId[], Extent>(
    `SELECT runs.run AS name, count(seq) AS count, min(seq) AS first, max(seq) AS last, head_seq AS noted
     FROM runs LEFT JOIN events ON events.run = runs.run WHERE ${where} GROUP BY runs.run`,
  );
  const journals = db.prepare<RunId[], Extent>(
    `SELECT runs.run AS name, count(n) AS count, min(n) AS first, max(n) AS last, runs.count AS noted
     FROM runs LEFT JOIN events ON events.root = runs.run WHERE kind = 'root' AND ${where} GROUP BY runs.run`,
  );
  const isWhole = ({ count, first, last, noted }: Extent): boolean =>
    (first ?? 1) === 1 && (last ?? 0) === count && noted === count;
  const describe = (what: string, each: Extent): string =>
    `${what} ${each.name} holds ${each.count} events numbered ${each.first ?? 0} to ${each.last ?? 0}, and notes ${each.noted}`;
  const gapsIn = (what: string, extents: readonly Extent[]): readonly string[] =>
    extents.filter((each) => !isWhole(each)).map((each) => describe(what, each));
  return [...gapsIn("Stream", streams.all(...values)), ...gapsIn("Journal", journals.all(...values))];
}

interface StoredEvent extends ChainedEvent {
  readonly hash: string;
  readonly bytes: string | null;
  readonly erasedAt: number | null;
}

/** `text` is `null` where the payload is gone; `handoffs`: hash of each handoff seen so far → the child run it names. */
function findBreak(
  event: StoredEvent,
  text: string | null,
  previous: string | undefined,
  handoffs: ReadonlyMap<string, unknown>,
): string | null {
  if (event.hash !== eventHash(event)) return "does not have the hash of its content";
  if (text === null) return "has data that is gone";
  // What was erased keeps the hash of what it was: the chain goes over hashes.
  if (event.erasedAt === null && event.payload_hash !== sha256(text)) return "has data that is not what was written";
  if (previous !== undefined) return event.prev_hash === previous ? null : "does not follow the event before it";
  if (event.run === event.root)
    return event.prev_hash === genesisHash ? null : "begins its journal but names an event before it";
  return handoffs.get(event.prev_hash) === event.run
    ? null
    : `begins stream ${event.run} but does not follow the handoff that names it`;
}

/** One sentence for each event that is not what its hash says or does not follow the one before it, and for each head that is not its stream's last. */
export function findBreaks(
  db: Connection,
  folder: string,
  root: RunId | null = null,
  onEvent: () => void = () => undefined,
): readonly string[] {
  const found: string[] = [];
  const heads = new Map<string, string>();
  const handoffs = new Map<string, unknown>();
  const chained = scope("events.root", root);
  const events = db.prepare<RunId[], StoredEvent>(
    `SELECT events.*, payloads.bytes, payloads.erased_at AS erasedAt FROM events LEFT JOIN payloads ON payloads.hash = payload_hash
     WHERE ${chained.where} ORDER BY root, n`,
  );
  for (const event of events.iterate(...chained.values)) {
    onEvent();
    const text = findText(folder, event.payload_hash, event.bytes);
    const problem = findBreak(event, text, heads.get(event.run), handoffs);
    if (problem !== null) found.push(`Event ${event.n} of run ${event.root} ${problem}`);
    heads.set(event.run, event.hash);
    if (text !== null && problem === null && event.type === "handoff.recorded")
      handoffs.set(event.hash, memberOf(JSON.parse(text) as Json, "childRun"));
  }
  const noting = scope("root", root);
  const noted = db.prepare<RunId[], { run: RunId; head: string }>(
    `SELECT run, head_hash AS head FROM runs WHERE ${noting.where}`,
  );
  for (const { run, head } of noted.all(...noting.values)) {
    if (head !== (heads.get(run) ?? genesisHash))
      found.push(`Run ${run} notes a head that is not its last event's hash`);
  }
  return found;
}

/** A member of JSON that may be no object at all. */
export function memberOf(data: Json, name: string): unknown {
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? Object.entries(data).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Everything that is wrong with one run and its children, one sentence each; empty when it is sound. Takes time in proportion to the run, and calls `onEvent` for each event of it. Never throws for damage, and only `STORE_UNAVAILABLE`: where the system could not read, nothing is known. */
export function verifyRun(db: Connection, folder: string, root: RunId, onEvent?: () => void): readonly string[] {
  try {
    const isThere = db.prepare<[RunId], number>("SELECT 1 FROM runs WHERE run = ? AND kind = 'root'").pluck().get(root);
    if (isThere === undefined) return [`There is no run ${root}`];
    return [...findGaps(db, root), ...findBreaks(db, folder, root, onEvent)];
  } catch (error) {
    if (isUnavailable(error)) throw error;
    // A damaged page is a violation of this run too.
    return [toFailure(error).message];
  }
}
