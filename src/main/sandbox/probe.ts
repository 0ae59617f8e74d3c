// Owns the answer to "can commands be confined here, and if not, what would it take?"
// It tries the real thing once; it must never promise a sandbox from the mere presence of a program.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import type { SandboxReport } from "../engine/ports/command.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { pathFolders } from "./environment.ts";

export interface Probe {
  readonly report: SandboxReport;
  /** Absolute path of `bwrap` when the report says so. */
  readonly launcher: string | null;
  /** Absolute path of `bash`, else of `sh`. */
  readonly shell: string;
}

const probeTimeoutMs = 10_000;

/** Looks for the programs and tries the sandbox on a command that does nothing. Takes some 20 ms; never rejects. */
export async function probeSandbox(searchPath: string | undefined, choice: "auto" | "off"): Promise<Probe> {
  const folders = [...pathFolders(searchPath), "/usr/bin", "/bin"];
  const shell = (await findProgram("bash", ["/bin", ...folders])) ?? "/bin/sh";
  const none = (missing: string): Probe => ({
    report: { kind: "none", isWhole: false, missing: [missing] },
    launcher: null,
    shell,
  });
  if (choice === "off") return none("The sandbox is switched off in the settings: commands run with your rights.");
  if (process.platform !== "linux")
    return none(
      `Commands are not confined on ${process.platform} yet: they run with your rights, in a process group of their own.`,
    );
  const launcher = await findProgram("bwrap", folders);
  if (launcher === null) {
    return none(
      "bubblewrap is not installed. Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap).",
    );
  }
  const failure = await tryLauncher(launcher, shell);
  if (failure !== null) return none(explainFailure(launcher, failure));
  return { report: { kind: "bubblewrap", isWhole: true, missing: [] }, launcher, shell };
}

/** What the launcher said when it failed, or `null` when it ran. */
function tryLauncher(launcher: string, shell: string): Promise<string | null> {
  const layout = { mounts: [{ kind: "empty", path: "/tmp", isWritable: false }], cwd: "/", network: "off" } as const;
  const argv = bubblewrapArguments(layout, [shell, "-c", ":"]);
  // Standard error doubles as the status descriptor here: only `spawn` could open another.
  const args = argv.map((argument, index) => (argv[index - 1] === "--json-status-fd" ? "2" : argument));
  return new Promise((resolve) => {
    execFile(launcher, args, { timeout: probeTimeoutMs, env: {} }, (error, _stdout, stderr) => {
      resolve(error === null ? null : stderr.trim() || error.message);
    });
  });
}

/** One sentence: what bubblewrap said, and what to allow. */
export function explainFailure(launcher: string, words: string): string {
  const said = words.split("\n").find((line) => line.includes("bwrap:")) ?? words.split("\n")[0] ?? "";
  return `${launcher} cannot make a sandbox here (${said.trim()}). ${remedy(words)}`;
}

function remedy(words: string): string {
  if (/unknown option/i.test(words)) return "Install bubblewrap 0.6 or newer.";
  if (/RTM_NEWADDR|uid map|new namespace|Permission denied|Operation not permitted/i.test(words)) {
    return "Allow user namespaces: on Ubuntu 24.04 and later give bwrap an AppArmor profile with `userns` (or set kernel.apparmor_restrict_unprivileged_userns=0); elsewhere set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0; a container must be started with these rights.";
  }
  return "Run `bwrap --ro-bind / / true` in a terminal to see what stands in its way.";
}

async function findProgram(name: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const file = path.join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
