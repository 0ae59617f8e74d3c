// What a measurement answers with, and how it is taken and told: medians of alternated rounds, so that a slow moment of
// the machine meets both sides. Levels differ from machine to machine; ratios are what to read.

/** Two things measured side by side. */
export interface Ratio {
  readonly what: string;
  /** Milliseconds, median. */
  readonly ours: number;
  readonly against: string;
  /** Milliseconds, median of what it is compared with. */
  readonly theirs: number;
  /** The most that `ours / theirs` is meant to be. */
  readonly goal: number;
}

/** Two things counted side by side: how many of them are not as they should be. */
export interface Share {
  readonly what: string;
  readonly ours: Counted;
  readonly against: string;
  readonly theirs: Counted;
  /** The most that there are meant to be. */
  readonly goalCount: number;
}

interface Counted {
  readonly count: number;
  readonly of: number;
}

export type Figure = Ratio | Share;

/** One measurement; `name` is how `npm run bench NAME` asks for it. */
export interface Bench {
  readonly name: string;
  /** What is compared with what, and why its goals are what they are: a paragraph of docs/performance.md. */
  readonly about: string;
  measure(): Promise<readonly Figure[]>;
}

type Side = () => unknown;

/** Both sides, in ms. */
interface Taken {
  readonly ours: number;
  readonly theirs: number;
}

/** Runs both sides in turn, `rounds` times after one unmeasured, and answers with the median of each, in ms. */
export function alternate(ours: Side, theirs: Side, rounds?: number): Promise<Taken> {
  return alternateTaken(
    () => timed(ours),
    () => timed(theirs),
    rounds,
  );
}

/** The same for sides that say themselves how many ms they took. */
export async function alternateTaken(
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  rounds = 7,
): Promise<Taken> {
  const taken: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round <= rounds; round++) {
    const first = await ours();
    const second = await theirs();
    if (round === 0) continue;
    taken.ours.push(first);
    taken.theirs.push(second);
  }
  return { ours: median(taken.ours), theirs: median(taken.theirs) };
}

/** Milliseconds that `side` takes. */
export async function timed(side: Side): Promise<number> {
  const from = performance.now();
  await side();
  return performance.now() - from;
}

/** The middle one. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export const tableHead = ["measured", "ours", "against", "theirs", "ratio", "goal", ""];

/** The cells of a figure, below `tableHead`; the last says whether the goal is met. */
export function cellsOf(figure: Figure): readonly string[] {
  return "goal" in figure ? ratioCells(figure) : shareCells(figure);
}

/** One line for each figure, in columns. */
export function table(figures: readonly Figure[]): string {
  const lines = [tableHead, ...figures.map((figure) => cellsOf(figure))];
  const widths = tableHead.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function ratioCells({ what, ours, against, theirs, goal }: Ratio): readonly string[] {
  const ratio = ours / theirs;
  return [what, ms(ours), against, ms(theirs), ratio.toFixed(2), `≤ ${goal}`, ratio <= goal ? "met" : "missed"];
}

function shareCells({ what, ours, against, theirs, goalCount }: Share): readonly string[] {
  const share = `${((100 * ours.count) / ours.of).toFixed(1)} %`;
  const isMet = ours.count <= goalCount;
  return [what, counted(ours), against, counted(theirs), share, `≤ ${goalCount}`, isMet ? "met" : "missed"];
}

function counted({ count, of }: Counted): string {
  return `${count} of ${of}`;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;
}
