// From cells to pixels: how large a card is where so much room is given, and which box a cell has. Pure.

import type { GraphLayout, Place } from "./layout.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Measures in px at zoom 1. */
export interface Geometry {
  readonly card: Size;
  /** Between waves, where edges run. */
  readonly gap: number;
  /** From one row's top to the next one's. */
  readonly pitch: number;
}

/** Between columns of one wave. */
const columnGap = 22;
const marginX = 18;
const marginY = 6;
const rowGap = 20;

/** Measures with which three waves of four rows fill `room` where they can, as most runs have no more. */
export function measureFor({ width, height }: Size): Geometry {
  const inner = width - 2 * marginX;
  const cardWidth = Math.round(clamp(inner * 0.255, 200, 292));
  const gap = Math.round(clamp((inner - 3 * cardWidth) / 2, 56, 128));
  const pitch = Math.round(clamp((height - marginY + rowGap - 10) / 4, 84, 118));
  return { card: { width: cardWidth, height: Math.min(94, pitch - rowGap) }, gap, pitch };
}

/** Title lines and figures that a card of this height has room for. */
export function detailOf({ card }: Geometry): "full" | "short" | "shorter" {
  return card.height >= 88 ? "full" : card.height >= 72 ? "short" : "shorter";
}

export function boxOf({ wave, column, row }: Place, { card, gap, pitch }: Geometry): Box {
  const x = marginX + column * (card.width + columnGap) + wave * (gap - columnGap);
  return { x, y: marginY + row * pitch, ...card };
}

/** Left edge of a wave. */
export function waveX({ waves }: GraphLayout, index: number, geometry: Geometry): number {
  return boxOf({ wave: index, column: waves[index]?.column ?? 0, row: 0 }, geometry).x;
}

/** What the whole graph takes. */
export function extentOf({ waves, rowCount }: GraphLayout, geometry: Geometry): Size {
  const last = waves.at(-1);
  if (last === undefined) return { width: 0, height: 0 };
  const place = { wave: waves.length - 1, column: last.column + last.columnCount - 1, row: rowCount - 1 };
  const box = boxOf(place, geometry);
  return { width: box.x + box.width + marginX, height: box.y + box.height + marginY + 8 };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
