// Owns the answer to "can commands be confined here, and if not, what would it take?"
// It tries the real thing once; it must never promise a sandbox from the mere presence of a program.

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import type { SandboxReport } from "../engine/ports/command.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { pathFolders } from "./environment.ts";
import type { Launcher } from "./launch.ts";
import type { Layout } from "./mounts.ts";
import { seatbeltProfile } from "./seatbelt.ts";

export interface Probe {
  readonly report: SandboxReport;
  /** What confines a command here; `null` when nothing does. */
  readonly launcher: Launcher | null;
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
  switch (process.platform) {
    case "linux":
      return probeBubblewrap(folders, shell, none);
    case "darwin":
      return probeSeatbelt(shell, none);
    default:
      return none(
        `Commands are not confined on ${process.platform} yet: they run with your rights, in a process group of their own.`,
      );
  }
}

type None = (missing: string) => Probe;

/** Where nothing is mounted and nothing may be reached: enough to see whether the launcher works. */
const trialLayout: Layout = { mounts: [{ kind: "empty", path: "/tmp", isWritable: false }], cwd: "/", network: "off" };

async function probeBubblewrap(folders: readonly string[], shell: string, none: None): Promise<Probe> {
  const file = await findProgram("bwrap", folders);
  if (file === null) {
    return none(
      "bubblewrap is not installed. Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap).",
    );
  }
  const argv = bubblewrapArguments(trialLayout, [shell, "-c", ":"]);
  // Standard error doubles as the status descriptor here: only `spawn` could open another.
  const args = argv.map((argument, index) => (argv[index - 1] === "--json-status-fd" ? "2" : argument));
  const failure = await tryLauncher(file, args);
  if (failure !== null) return none(explainFailure(file, failure));
  return { report: { kind: "bubblewrap", isWhole: true, missing: [] }, launcher: { kind: "bubblewrap", file }, shell };
}

/** Part of macOS, at this one place: a program of that name on PATH would be another. */
const sandboxExec = "/usr/bin/sandbox-exec";

/** What bubblewrap does with a process namespace of its own, and Seatbelt cannot. */
const missingInSeatbelt = [
  "A process that leaves its command's process group can outlive the command, though still confined: macOS has no process namespaces.",
  "Commands live on, still confined, when Coppice itself is killed: macOS does not end them with it.",
] as const;

async function probeSeatbelt(shell: string, none: None): Promise<Probe> {
  const failure = await tryLauncher(sandboxExec, ["-p", seatbeltProfile(trialLayout), shell, "-c", ":"]);
  if (failure !== null) {
    return none(
      `${sandboxExec} cannot make a sandbox here (${failure.split("\n")[0]}). If Coppice itself runs in a sandbox, start it outside.`,
    );
  }
  const report = { kind: "seatbelt", isWhole: false, missing: missingInSeatbelt } as const;
  return { report, launcher: { kind: "seatbelt", file: sandboxExec }, shell };
}

/** What the launcher said when it failed, or `null` when it ran. */
function tryLauncher(file: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: probeTimeoutMs, env: {} }, (error, _stdout, stderr) => {
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
