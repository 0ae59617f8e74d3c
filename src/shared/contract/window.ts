// What the application asks of one page: the topic `window`. A menu that was chosen, a link that was followed, a
// notification that was clicked arrive here; in a browser, where none of these exist, nothing ever does.

import type { MenuAction } from "./menu.ts";

/** Where the page shall go, as the search part of its address (`?run=…&at=…`), or what it shall do. */
export type WindowWish =
  | { readonly kind: "go"; readonly search: string }
  | { readonly kind: "act"; readonly action: MenuAction }
  /** Begin a run in a folder: it was dropped on the application, or named when it was started. */
  | { readonly kind: "newRun"; readonly folder: string };

/** `n` counts from 1 over the life of a window, so that a page that sees a wish twice does it once. */
export type WindowRequest = WindowWish & { readonly n: number };

export interface WindowSnapshot {
  /** Grows with every snapshot of this topic. */
  readonly version: number;
  /** The newest wishes, oldest first. */
  readonly asked: readonly WindowRequest[];
}
