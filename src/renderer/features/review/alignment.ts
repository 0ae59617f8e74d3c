// Which removed line became which added one: by what they have in common, in order. For the two columns, and for the words that
// changed. Pure.

/** Indices into the removed and the added lines of one block; `null` where nothing stands on that side. */
export interface Alignment {
  readonly removed: number | null;
  readonly added: number | null;
  /** They are the same line, changed; otherwise they only stand beside each other. */
  readonly isSame: boolean;
}

/** Larger blocks are set side by side line by line: nobody would follow an alignment through them. */
const maxCells = 2_500;
const enoughAlike = 0.5;

/** Every line of the block once, both sides in their order. */
export function alignBlock(removed: readonly string[], added: readonly string[]): readonly Alignment[] {
  if (removed.length === 0 || added.length === 0 || removed.length * added.length > maxCells)
    return beside(range(0, removed.length), range(0, added.length));
  const matches = bestMatches(removed.map(tokensOf), added.map(tokensOf));
  const rows: Alignment[] = [];
  let [removedAt, addedAt] = [0, 0];
  for (const [r, a] of [...matches, [removed.length, added.length] as const]) {
    rows.push(...beside(range(removedAt, r), range(addedAt, a)));
    if (r < removed.length) rows.push({ removed: r, added: a, isSame: true });
    [removedAt, addedAt] = [r + 1, a + 1];
  }
  return rows;
}

type Tokens = ReadonlyMap<string, number>;

/** Pairs in order whose likeness adds up to the most: the longest common subsequence, weighted. */
function bestMatches(removed: readonly Tokens[], added: readonly Tokens[]): readonly (readonly [number, number])[] {
  const width = added.length + 1;
  const likeness = new Float64Array(removed.length * added.length);
  const best = new Float64Array((removed.length + 1) * width);
  for (let r = removed.length - 1; r >= 0; r -= 1) {
    for (let a = added.length - 1; a >= 0; a -= 1) {
      const alike = alikeness(removed[r], added[a]);
      likeness[r * added.length + a] = alike;
      const paired = alike >= enoughAlike ? alike + (best[(r + 1) * width + a + 1] ?? 0) : 0;
      best[r * width + a] = Math.max(paired, best[(r + 1) * width + a] ?? 0, best[r * width + a + 1] ?? 0);
    }
  }
  const matches: (readonly [number, number])[] = [];
  for (let [r, a] = [0, 0]; r < removed.length && a < added.length;) {
    const here = best[r * width + a] ?? 0;
    const alike = likeness[r * added.length + a] ?? 0;
    if (alike >= enoughAlike && here === alike + (best[(r + 1) * width + a + 1] ?? 0)) {
      matches.push([r, a]);
      [r, a] = [r + 1, a + 1];
    } else if (here === (best[(r + 1) * width + a] ?? 0)) r += 1;
    else a += 1;
  }
  return matches;
}

/** From 0 to 1: twice the words in common by all words of both. */
function alikeness(left: Tokens | undefined, right: Tokens | undefined): number {
  if (!left || !right) return 0;
  let [common, total] = [0, 0];
  for (const count of right.values()) total += count;
  for (const [token, count] of left) {
    total += count;
    common += Math.min(count, right.get(token) ?? 0);
  }
  return total === 0 ? 0 : (2 * common) / total;
}

/** Words and signs; of a very long line its beginning says enough. */
function tokensOf(line: string): Tokens {
  const tokens = new Map<string, number>();
  for (const token of line.slice(0, 400).match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [])
    tokens.set(token, (tokens.get(token) ?? 0) + 1);
  return tokens;
}

function beside(removed: readonly number[], added: readonly number[]): readonly Alignment[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
    removed: removed[index] ?? null,
    added: added[index] ?? null,
    isSame: false,
  }));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
