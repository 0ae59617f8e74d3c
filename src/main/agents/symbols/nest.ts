// Spans of a text that lie inside each other, as a tree that is asked by position. Knows nothing of code.

/** From `start` up to but not including `end`, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Nest<S extends Span> {
  /** Every span, outer ones before those in them. */
  readonly spans: readonly S[];
  /** The spans that hold `position`, innermost first. */
  around(position: number): Iterable<S>;
}

/** Builds the tree. Spans must not overlap partly; of equal spans the one named first is the outer. */
export function buildNest<S extends Span>(unsorted: readonly S[]): Nest<S> {
  const spans = unsorted.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const parents: number[] = [];
  const open: number[] = [];
  for (const [index, span] of spans.entries()) {
    while (open.length > 0 && (spans[open.at(-1) ?? 0]?.end ?? 0) < span.end) open.pop();
    parents.push(open.at(-1) ?? -1);
    open.push(index);
  }
  return {
    spans,
    *around(position) {
      for (let index = lastAtOrBefore(spans, position); index >= 0; index = parents[index] ?? -1) {
        const span = spans[index];
        if (span !== undefined && span.end > position) yield span;
      }
    },
  };
}

/** Index of the last span that starts at or before `position`; -1 when all start after it. */
function lastAtOrBefore(spans: readonly Span[], position: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.start ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
