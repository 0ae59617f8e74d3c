// What somebody wants who starts the application, or starts it again while it runs: a link to a place, or a folder to
// begin in. Arguments are data: what is neither is left alone.

import { statSync } from "node:fs";
import { resolve } from "node:path";

import { readDeepLink } from "../../../shared/contract/deepLink.ts";
import type { WindowWish } from "../../../shared/contract/window.ts";

/** The first argument that says something, or `null`. `args` without the program; `appPath` is where the application itself is. */
export function readLaunch(args: readonly string[], folder: string, appPath: string): WindowWish | null {
  // Chromium adds switches of its own and may change their order.
  for (const arg of args.filter((text) => text !== "" && !text.startsWith("-"))) {
    const wish = wishOf(arg) ?? folderWish(resolve(folder, arg), appPath);
    if (wish !== null) return wish;
  }
  return null;
}

/** What a link asks for; `null` where it is none of ours. */
export function wishOf(link: string): WindowWish | null {
  const search = readDeepLink(link);
  return search === null ? null : { kind: "go", search };
}

/** Begins a run in a folder; `null` where there is none, or it is the application's own. */
export function folderWish(path: string, appPath: string): WindowWish | null {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && path !== resolve(appPath) ? { kind: "newRun", folder: path } : null;
}
