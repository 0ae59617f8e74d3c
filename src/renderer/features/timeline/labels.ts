// Which words beside the marks of a lane have room: none is written over the mark that follows it, or over a bar. Pure.

/** From a mark's middle to the beginning of its words, px. */
export const labelOffset = 9;
/** What a mark takes to each side of its middle, and a little air before it, px. */
const clearance = 9;

/** A mark at `x` whose words are `width` wide, px; 0 for one without words. */
export interface Labelled {
  readonly x: number;
  readonly width: number;
  /** Where the first bar begins that ends after the mark, px; `Infinity` for none. */
  readonly bar: number;
}

/** `marks` from left to right. A mark without words has none to show. */
export function haveRoom(marks: readonly Labelled[]): readonly boolean[] {
  return marks.map(({ x, width, bar }, index) => {
    const next = marks[index + 1]?.x ?? Infinity;
    const end = x + labelOffset + width;
    return width > 0 && end <= next - clearance && end <= bar;
  });
}
