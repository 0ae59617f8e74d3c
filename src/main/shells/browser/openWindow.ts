// Shows a URL in a window of its own where a Chromium is installed, else in the person's browser.
// The URL carries a token, so it never stands in a command line, where every user of the machine can read it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface OpenedWindow {
  /** Removes the profile and the file that led to the URL. A window that is still open stays open. */
  cleanUp(): Promise<void>;
}

type Command = readonly [program: string, ...args: string[]];

/** What to try, in order, to show `page` (a file URL). `profile` keeps the app window apart from the person's own browsing. */
export function openCommands(platform: NodeJS.Platform, page: string, profile: string): readonly Command[] {
  const app = [`--app=${page}`, `--user-data-dir=${profile}`, "--no-first-run", "--no-default-browser-check"];
  const chromiums: readonly Command[] = ["chromium", "chromium-browser", "google-chrome"].map(
    (program) => [program, ...app] as const,
  );
  if (platform === "win32") return [["explorer.exe", page]];
  return [...chromiums, [platform === "darwin" ? "open" : "xdg-open", page]];
}

/** Opens `url`; `undefined` when nothing on this machine could be started. */
export async function openWindow(url: string): Promise<OpenedWindow | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-window-"));
  const cleanUp = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const page = join(folder, "open.html");
  await writeFile(
    page,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><title>Coppice</title>\n`,
    { mode: 0o600 },
  );
  for (const command of openCommands(process.platform, pathToFileURL(page).href, join(folder, "profile"))) {
    if (await starts(command)) return { cleanUp };
  }
  await cleanUp();
  return undefined;
}

/** Whether the program is there and could be started. What it does from then on is its own affair. */
async function starts([program, ...args]: Command): Promise<boolean> {
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  try {
    await once(child, "spawn");
  } catch {
    // It is not there, or may not be run: the next one is tried.
    return false;
  }
  child.unref();
  return true;
}
