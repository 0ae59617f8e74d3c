// Owns how a shell line gets into the sandbox of this machine: the launcher's command line, and what it said when it failed.
// It must never start anything itself, nor leave a profile behind that `dispose` does not remove.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { bubblewrapArguments } from "./bubblewrap.ts";
import type { Layout } from "./mounts.ts";
import type { ProcessEnd } from "./process.ts";
import { seatbeltProfile } from "./seatbelt.ts";

export interface Launcher {
  readonly kind: "bubblewrap" | "seatbelt";
  /** Absolute. */
  readonly file: string;
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The launcher reports on `statusFd`. */
  readonly hasStatus: boolean;
  /** Removes what was written for this one command. */
  dispose(): Promise<void>;
}

/** Puts a launcher before `argv`. Rejects when the layout cannot be said in the launcher's language. */
export async function prepareLaunch(launcher: Launcher, layout: Layout, argv: readonly string[]): Promise<Launch> {
  switch (launcher.kind) {
    case "bubblewrap":
      return {
        argv: [launcher.file, ...bubblewrapArguments(layout, argv)],
        cwd: "/",
        hasStatus: true,
        dispose: async () => undefined,
      };
    case "seatbelt": {
      const profile = seatbeltProfile(layout);
      // Read before the confinement begins, so it may lie where the command sees nothing.
      const folder = await mkdtemp(path.join(os.tmpdir(), "coppice-profile-"));
      const file = path.join(folder, "profile.sb");
      await writeFile(file, profile, { mode: 0o600 });
      return {
        argv: [launcher.file, "-f", file, ...argv],
        cwd: layout.cwd,
        hasStatus: false,
        dispose: () => rm(folder, { recursive: true, force: true }),
      };
    }
  }
}

/** What stood in the launcher's way, or `null` when the command itself has run. Only for an end that nobody asked for. */
export function launchFailure(launcher: Launcher, end: ProcessEnd): string | null {
  if (end.cause !== "exited" || end.signal !== null) return null;
  switch (launcher.kind) {
    case "bubblewrap":
      // It reports an exit code only for a command that it started.
      if (end.launcherStatus.includes('"exit-code"')) return null;
      return end.launcherWords || `bwrap ended with ${end.exitCode}`;
    case "seatbelt":
      // It becomes the command, whose own words go elsewhere: what is left on its standard error is its own.
      return end.launcherWords.startsWith("sandbox-exec:") ? end.launcherWords : null;
  }
}
