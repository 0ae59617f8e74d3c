// Which words beside the marks of a lane have room: none is written over the mark that follows it. Pure.

/** From a mark's middle to the beginning of its words, px. */
export const labelOffset = 9;
/** What a mark takes to each side of its middle, and a little air before it, px. */
const clearance = 9;

/** A mark at `x` whose words are `width` wide, px; 0 for one without words. */
export interface Labelled {
  readonly x: number;
  readonly width: number;
}

/** `marks` from left to right. A mark without words has none to show. */
export function haveRoom(marks: readonly Labelled[]): readonly boolean[] {
  return marks.map(({ x, width }, index) => {
    const next = marks[index + 1]?.x ?? Infinity;
    return width > 0 && x + labelOffset + width <= next - clearance;
  });
}
