// What a page may ask of the machine that the application runs on, over `host/call`. Places are named by run and agent,
// never by a path of the page's choosing: what cannot be said cannot be reached.

import type { AgentId, RunId } from "./ids.ts";

/** Where an agent works; `null`: the repository's own checkout. `path`: a file in it, relative, forward slashes. */
export interface WorkPlace {
  readonly run: RunId;
  readonly agent: AgentId | null;
  readonly path?: string;
}

export type HostCall =
  /** What this host is and what it can do. Answered everywhere. */
  | { readonly kind: "describe" }
  /** Lets the person choose a folder. */
  | { readonly kind: "chooseFolder" }
  /** Shows an http or https address in the person's browser. */
  | { readonly kind: "openExternal"; readonly url: string }
  /** Shows a place in the system's file manager. */
  | ({ readonly kind: "reveal" } & WorkPlace)
  /** Opens a place in the person's editor. `line` counts from 1. */
  | ({ readonly kind: "openInEditor"; readonly line?: number } & WorkPlace)
  /** Another window of the application. */
  | { readonly kind: "newWindow" };

export type HostAct = Exclude<HostCall["kind"], "describe">;

export interface HostDescription {
  readonly shell: "desktop" | "browser";
  readonly version: string;
  /** As Node names it: `darwin`, `linux`, `win32`. */
  readonly platform: string;
  /** What can be asked here; a page offers nothing else. */
  readonly can: readonly HostAct[];
  /** What `openInEditor` starts, by its name; `null` where no editor was found. */
  readonly editor: string | null;
}

export interface HostAnswers {
  readonly describe: HostDescription;
  /** `null`: none was chosen. */
  readonly chooseFolder: { readonly folder: string | null };
  readonly openExternal: null;
  readonly reveal: null;
  readonly openInEditor: null;
  readonly newWindow: null;
}

export type HostAnswer = HostAnswers[HostCall["kind"]];
