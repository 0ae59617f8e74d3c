// Where each subagent stands in the graph: waves from left to right, each of one or more columns. A fold over the order of
// creation that looks only at what was known when a node came, so a place once given never changes. Pure.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";

/** A cell of the grid. `column` counts over all waves. */
export interface Place {
  readonly wave: number;
  readonly column: number;
  readonly row: number;
}

/** Subagents that may run together. */
export interface Wave {
  readonly column: number;
  readonly columnCount: number;
  /** In the order of creation. */
  readonly members: readonly SubagentId[];
}

export interface GraphLayout {
  readonly places: ReadonlyMap<SubagentId, Place>;
  readonly waves: readonly Wave[];
  readonly rowCount: number;
  /** The wave that an independent node joins now. */
  readonly spawnWave: number;
}

export const emptyLayout: GraphLayout = { places: new Map(), waves: [], rowCount: 0, spawnWave: 0 };

/** Rows of a column, and from how many nodes on columns are taller: a large run would become a ribbon otherwise. */
const shortColumn = 8;
const tallColumn = 14;
const tallFromCount = 60;

/**
 * Places `subagents`, which are in the order of creation. Nodes in `previous` keep their places, also those that the
 * subagents at an earlier moment do not include; the same object comes back when there is nothing new.
 */
export function layoutGraph(subagents: readonly SubagentSnapshot[], previous: GraphLayout = emptyLayout): GraphLayout {
  if (subagents.every(({ id }) => previous.places.has(id))) return previous;
  const known = new Map<SubagentId, SubagentSnapshot>();
  const draft = new Draft(previous);
  for (const subagent of subagents) {
    if (!draft.places.has(subagent.id)) draft.add(subagent, known);
    known.set(subagent.id, subagent);
  }
  return draft.finish();
}

interface WaveDraft {
  readonly column: number;
  columnCount: number;
  readonly members: SubagentId[];
}

class Draft {
  readonly places: Map<SubagentId, Place>;
  readonly #waves: WaveDraft[];
  readonly #taken: Set<string>;
  #rowCount: number;
  #spawnWave: number;

  constructor(from: GraphLayout) {
    this.places = new Map(from.places);
    this.#waves = from.waves.map((wave) => ({ ...wave, members: [...wave.members] }));
    this.#taken = new Set([...from.places.values()].map(({ column, row }) => cell(column, row)));
    this.#rowCount = from.rowCount;
    this.#spawnWave = from.spawnWave;
  }

  finish(): GraphLayout {
    return { places: this.places, waves: this.#waves, rowCount: this.#rowCount, spawnWave: this.#spawnWave };
  }

  add(subagent: SubagentSnapshot, known: ReadonlyMap<SubagentId, SubagentSnapshot>): void {
    while (this.#hasEndedBefore(subagent.createdAt, known)) this.#spawnWave += 1;
    const dependencies = subagent.dependsOn.flatMap(({ id }) => this.places.get(id) ?? []);
    const index = Math.max(this.#spawnWave, ...dependencies.map(({ wave }) => wave + 1));
    const wave = (this.#waves[index] ??= this.#open());
    const replaced = subagent.replaces === undefined ? undefined : this.places.get(subagent.replaces);
    const wanted = dependencies.length > 0 ? meanRow(dependencies) : (replaced?.row ?? 0);
    const { column, row } = this.#freeCell(wave, index === this.#waves.length - 1, wanted);
    wave.members.push(subagent.id);
    this.places.set(subagent.id, { wave: index, column, row });
    this.#taken.add(cell(column, row));
    this.#rowCount = Math.max(this.#rowCount, row + 1);
  }

  /** Whether the lead has seen one of the present wave come to its end: what it creates then is an answer to that. */
  #hasEndedBefore(at: number, known: ReadonlyMap<SubagentId, SubagentSnapshot>): boolean {
    const members = this.#waves[this.#spawnWave]?.members ?? [];
    return members.some((id) => {
      const member = known.get(id);
      return member !== undefined && member.startedAt !== null && member.endedAt !== null && member.endedAt <= at;
    });
  }

  #open(): WaveDraft {
    const last = this.#waves.at(-1);
    return { column: last === undefined ? 0 : last.column + last.columnCount, columnCount: 1, members: [] };
  }

  #freeCell(wave: WaveDraft, isLast: boolean, wanted: number): { readonly column: number; readonly row: number } {
    const limit = this.places.size < tallFromCount ? shortColumn : tallColumn;
    for (let column = wave.column; column < wave.column + wave.columnCount; column += 1) {
      const row = this.#nearestFree(column, Math.min(wanted, limit - 1), limit);
      if (row !== undefined) return { column, row };
    }
    // Only the last wave may grow to the right: behind the others there stand nodes that must not move.
    if (isLast) {
      wave.columnCount += 1;
      return { column: wave.column + wave.columnCount - 1, row: Math.min(wanted, limit - 1) };
    }
    const column = wave.column + wave.columnCount - 1;
    return { column, row: this.#nearestFree(column, limit, Infinity) ?? limit };
  }

  #nearestFree(column: number, wanted: number, limit: number): number | undefined {
    for (let distance = 0; wanted + distance < limit || wanted - distance >= 0; distance += 1) {
      for (const row of [wanted + distance, wanted - distance])
        if (row >= 0 && row < limit && !this.#taken.has(cell(column, row))) return row;
    }
    return undefined;
  }
}

function cell(column: number, row: number): string {
  return `${column}:${row}`;
}

function meanRow(places: readonly Place[]): number {
  return Math.round(places.reduce((sum, { row }) => sum + row, 0) / places.length);
}
