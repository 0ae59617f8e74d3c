// Binary search in ascending numbers. Pure.

/** Index of the first value that is greater than `value`; the length when there is none. */
export function firstAbove(values: Float64Array, value: number): number {
  return search(values, (each) => each > value);
}

/** Index of the first value that is `value` or greater. */
export function firstAtOrAfter(values: Float64Array, value: number): number {
  return search(values, (each) => each >= value);
}

function search(values: Float64Array, isPast: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(values[middle] ?? Infinity)) high = middle;
    else low = middle + 1;
  }
  return low;
}
