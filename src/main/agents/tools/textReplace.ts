// Finds a text in a file and puts another in its place, line ending by line ending. Pure; works on units of any encoding.
// The replacement is literal: positions are spliced, no pattern language ever sees it.

/** A place in the units. `dropsNewline`: it was found at the end of a file that lacks the final newline of the text sought. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Line of its first unit, from 1. */
  readonly line: number;
  readonly dropsNewline: boolean;
}

interface Line {
  readonly text: string;
  readonly ending: string;
}

/** Beyond this product of line counts, changed lines of a mixed file are paired by order alone. */
const maxAlignment = 1_000_000;

/** CRLF as LF. Lone CRs are text. */
export function withPlainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Every place where `sought` stands, overlapping ones too, whatever the line endings of either. `sought` must not be empty. */
export function findMatches(units: string, sought: string): readonly Match[] {
  const plain = withPlainEndings(units);
  const wanted = withPlainEndings(sought);
  const toUnits = makePositions(units);
  const matchAt = (at: number, length: number, dropsNewline: boolean): Match => ({
    start: toUnits(at),
    end: toUnits(at + length),
    line: countNewlines(plain.slice(0, at)) + 1,
    dropsNewline,
  });
  const matches: Match[] = [];
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1))
    matches.push(matchAt(at, wanted.length, false));
  const shorter = wanted.slice(0, -1);
  if (matches.length === 0 && wanted.endsWith("\n") && shorter !== "" && plain.endsWith(shorter)) {
    matches.push(matchAt(plain.length - shorter.length, shorter.length, true));
  }
  return matches;
}

/** The units with `replacement` at `match`. Lines that stay keep their own ending, changed ones that of the line they take the place of, new ones that of their neighbour. */
export function replaceMatch(units: string, match: Match, replacement: string): string {
  const plain = withPlainEndings(replacement);
  const wanted = match.dropsNewline && plain.endsWith("\n") ? plain.slice(0, -1) : plain;
  const old = splitLines(units.slice(match.start, match.end));
  const fallback = endingAround(units, match) ?? firstEnding(replacement) ?? "\n";
  return units.slice(0, match.start) + withEndings(old, wanted, fallback) + units.slice(match.end);
}

/** Lines that differ between two texts, counted after their common head and tail are set aside. */
export function countChangedLines(before: string, after: string): { readonly added: number; readonly removed: number } {
  const old = splitLines(before).map((line) => line.text + line.ending);
  const fresh = splitLines(after).map((line) => line.text + line.ending);
  const { head, tail } = commonEnds(old, fresh);
  return { added: fresh.length - head - tail, removed: old.length - head - tail };
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** From positions in the text with plain endings to positions in the units. */
function makePositions(units: string): (plainPosition: number) => number {
  const returns: number[] = [];
  for (let at = units.indexOf("\r\n"); at !== -1; at = units.indexOf("\r\n", at + 2)) returns.push(at - returns.length);
  return (position) => {
    let low = 0;
    let high = returns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((returns[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return position + low;
  };
}

/** Lines with their endings; a text that ends with a newline has no empty line after it. */
function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from < text.length) {
    const at = text.indexOf("\n", from);
    if (at === -1) {
      lines.push({ text: text.slice(from), ending: "" });
      break;
    }
    const hasReturn = at > from && text[at - 1] === "\r";
    lines.push({ text: text.slice(from, hasReturn ? at - 1 : at), ending: hasReturn ? "\r\n" : "\n" });
    from = at + 1;
  }
  return lines;
}

function firstEnding(text: string): string | null {
  return splitLines(text)[0]?.ending || null;
}

/** The ending of the line in which the match ends, else of the one before it. */
function endingAround(units: string, match: Match): string | null {
  const inside = units.lastIndexOf("\n", match.end - 1);
  const next = units.indexOf("\n", match.end);
  const at = next !== -1 ? next : inside;
  if (at === -1) return null;
  return units[at - 1] === "\r" ? "\r\n" : "\n";
}

function commonEnds(
  old: readonly string[],
  fresh: readonly string[],
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  return { head, tail };
}

function withEndings(old: readonly Line[], plain: string, fallback: string): string {
  const fresh = splitLines(plain);
  const endings = new Set(old.map((line) => line.ending).filter((ending) => ending !== ""));
  const [only] = endings;
  if (endings.size <= 1)
    return fresh.map((line) => line.text + (line.ending === "" ? "" : (only ?? fallback))).join("");
  const sources = alignLines(
    old.map((line) => line.text),
    fresh.map((line) => line.text),
  );
  let previous = "";
  return fresh
    .map((line, index) => {
      if (line.ending === "") return line.text;
      const source = sources[index];
      const own = source === undefined || source === null ? "" : (old[source]?.ending ?? "");
      previous = own || previous || fallback;
      return line.text + previous;
    })
    .join("");
}

/** For each fresh line the old line that it is, or takes the place of; `null` for one too many. */
function alignLines(old: readonly string[], fresh: readonly string[]): readonly (number | null)[] {
  const anchors = [...commonLines(old, fresh), [old.length, fresh.length] as const];
  const sources: (number | null)[] = [];
  let nextOld = 0;
  for (const [oldIndex, freshIndex] of anchors) {
    // Between two lines that stayed, changed lines pair up by order.
    while (sources.length < freshIndex) sources.push(nextOld < oldIndex ? nextOld++ : null);
    if (freshIndex < fresh.length) sources.push(oldIndex);
    nextOld = oldIndex + 1;
  }
  return sources;
}

/** A longest common subsequence, as pairs of indexes in order. */
function commonLines(old: readonly string[], fresh: readonly string[]): readonly (readonly [number, number])[] {
  const { head, tail } = commonEnds(old, fresh);
  const rows = old.length - head - tail;
  const columns = fresh.length - head - tail;
  const pairs: (readonly [number, number])[] = Array.from({ length: head }, (_, index) => [index, index] as const);
  if (rows * columns <= maxAlignment) pairs.push(...longestCommon(old, fresh, head, rows, columns));
  for (let index = tail; index > 0; index -= 1) pairs.push([old.length - index, fresh.length - index]);
  return pairs;
}

function longestCommon(
  old: readonly string[],
  fresh: readonly string[],
  head: number,
  rows: number,
  columns: number,
): readonly (readonly [number, number])[] {
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const isSame = old[head + row] === fresh[head + column];
      lengths[row * width + column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (old[head + row] === fresh[head + column]) pairs.push([head + row++, head + column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
