// Tells whether a process that opened the store is still the same process, alive. Errs on the side of "alive":
// only proof passes a holder over at once, anything less waits for its lease to run out.

import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process was started, as the system tells it. Equal texts for one pid mean one process. Empty where the system does not say. */
  readonly started: string;
  readonly host: string;
}

/** On Linux: kernel boot, pid namespace and start time in ticks. `null`: no such process, or a dead one that its parent has not collected yet. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces and parentheses itself; the fields after it are numbered from 3.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", ticks = ""] = [fields[0], fields[19]];
    return state === "Z" || state === "X" ? null : `${kernelBoot()}/${pidNamespace()}/${ticks}`;
  } catch {
    // Unreadable means gone: every process may read another's stat.
    return null;
  }
}

function kernelBoot(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function pidNamespace(): string {
  return readlinkSync("/proc/self/ns/pid");
}

function posixStart(pid: number): string | null {
  try {
    const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      timeout: 2_000,
      env: { ...process.env, LC_ALL: "C" },
    });
    return text.trim() || null;
  } catch (error) {
    // ps ends with 1 for a pid that is not there; anything else proves nothing.
    return error instanceof Error && "status" in error && error.status === 1 ? null : "";
  }
}

function plainStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return "";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? null : "";
  }
}

function startOf(pid: number): string | null {
  if (process.platform === "linux") return linuxStart(pid);
  return process.platform === "win32" ? plainStart(pid) : posixStart(pid);
}

export function identifyThisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? "", host: hostname() };
}

/** True when `other` is proven gone: it ran on this machine, and its pid is free or belongs to a process started at another time. A process of another host or container is never proven gone from here. */
export function isGone(other: ProcessIdentity, here: ProcessIdentity): boolean {
  if (other.host !== here.host || other.started === "") return false;
  const [boot, namespace] = other.started.split("/");
  const [ourBoot, ourNamespace] = here.started.split("/");
  if (process.platform === "linux" && boot === ourBoot && namespace !== ourNamespace) return false;
  const started = startOf(other.pid);
  return started === null || (started !== "" && started !== other.started);
}
