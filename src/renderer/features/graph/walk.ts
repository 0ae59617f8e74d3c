// Where an arrow key leads in the graph. Pure.

import type { GraphLayout, Place } from "./layout.ts";

/** Something that can be focused, at its cell. */
export interface Stop {
  readonly key: string;
  readonly place: Place;
}

/**
 * The stop that `key` leads to from the one called `from`; `"lead"` above the first row; `null` where it leads nowhere or
 * is not a walking key. Left and right go to the nearest row of the next column that has any, up and down along a column.
 */
export function stepFrom(stops: readonly Stop[], from: string, key: string): string | null {
  const here = stops.find((stop) => stop.key === from);
  switch (key) {
    case "Home":
      return stops[0]?.key ?? null;
    case "End":
      return stops.at(-1)?.key ?? null;
    case "ArrowDown":
      return here === undefined ? (stops[0]?.key ?? null) : (along(stops, here.place, 1)?.key ?? null);
    case "ArrowUp":
      return here === undefined ? null : (along(stops, here.place, -1)?.key ?? "lead");
    case "ArrowRight":
      return here === undefined ? (stops[0]?.key ?? null) : (across(stops, here.place, 1)?.key ?? null);
    case "ArrowLeft":
      return here === undefined ? null : (across(stops, here.place, -1)?.key ?? "lead");
    default:
      return null;
  }
}

function along(stops: readonly Stop[], { column, row }: Place, direction: 1 | -1): Stop | undefined {
  return stops
    .filter((stop) => stop.place.column === column && (stop.place.row - row) * direction > 0)
    .toSorted((a, b) => (a.place.row - b.place.row) * direction)[0];
}

function across(stops: readonly Stop[], { column, row }: Place, direction: 1 | -1): Stop | undefined {
  const distance = (stop: Stop) => Math.abs(stop.place.column - column) * 1_000 + Math.abs(stop.place.row - row);
  return stops
    .filter((stop) => (stop.place.column - column) * direction > 0)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Wave by wave, each from top to bottom: the order in which the cards are read. */
export function readingOrder({ places }: GraphLayout, keys: ReadonlyMap<string, string>): readonly Stop[] {
  return [...places]
    .flatMap(([id, place]) => {
      const key = keys.get(id);
      return key === undefined ? [] : [{ key, place }];
    })
    .toSorted((a, b) => a.place.column - b.place.column || a.place.row - b.place.row);
}
