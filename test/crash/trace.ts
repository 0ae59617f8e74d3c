// The system calls by which a command writes: started under strace, which notes them in order, or lets those on some files fail.
// Reads the notes; knows nothing of what they mean.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** One call that has returned. */
export interface SystemCall {
  readonly name: string;
  /** The file it acts on, absolute: that of its descriptor, or the first that it names. */
  readonly path: string;
  /** The second file that it names; empty without. */
  readonly target: string;
  /** What a write wrote; empty for others. */
  readonly bytes: Buffer;
  /** Its last number: where a `pwrite64` writes, the length that an `ftruncate` leaves. */
  readonly number: number;
}

/** What writes to files, makes it last, or gives a file its name. */
const writing = "pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename,link";
/** Longer than anything that is written at once, bytes. */
const longest = 16 * 1024 * 1024;
const hexText = String.raw`"((?:\\x[0-9a-f]{2})*)"`;

/** Whether calls can be traced here. */
export async function canTrace(): Promise<boolean> {
  try {
    await promisify(execFile)("strace", ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"]);
    return true;
  } catch {
    // Said in the figures of the part.
    return false;
  }
}

/** The words before a command whose writing is to be noted in `file`. */
export function noteCalls(file: string): readonly string[] {
  return [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-y",
    "-xx",
    "-s",
    String(longest),
    "-e",
    `trace=${writing}`,
    "-o",
    file,
  ];
}

/** Which calls on which files are met, and how. */
export interface Meddling {
  readonly paths: readonly string[];
  /** Comma-separated. */
  readonly calls: string;
  /** The how manyth of these calls of a thread is the first. */
  readonly from: number;
}

/** The words before a command in which calls fail with `error`, from that one on. */
export function failCalls({ from, ...meddling }: Meddling, error: string): readonly string[] {
  return meddle(meddling, `error=${error}:when=${from}+`);
}

/** The words before a command that is killed in that one call. */
export function dieInCall({ from, ...meddling }: Meddling): readonly string[] {
  return meddle(meddling, `signal=KILL:when=${from}`);
}

function meddle({ paths, calls }: Omit<Meddling, "from">, how: string): readonly string[] {
  const files = paths.flatMap((path) => ["-P", path]);
  return ["strace", "-f", "-qq", ...files, "-e", `trace=${calls}`, "-e", `inject=${calls}:${how}`, "-o", "/dev/null"];
}

/** The noted calls that succeeded, in the order in which they returned. */
export function readCalls(notes: string): readonly SystemCall[] {
  const begun = new Map<string, string>();
  return notes.split("\n").flatMap((line) => {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const cut = rest.indexOf(" <unfinished ...>");
    if (cut !== -1) begun.set(thread, rest.slice(0, cut));
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest);
    const whole = resumed ? `${begun.get(thread) ?? ""}${resumed[1] ?? ""}` : rest;
    const call = cut === -1 ? readCall(whole) : null;
    return call === null ? [] : [call];
  });
}

function readCall(text: string): SystemCall | null {
  const [, name = "", args = ""] = /^(\w+)\((.*)\) += \d+$/s.exec(text) ?? [];
  if (name === "") return null;
  const [, descriptor] = /^\d+<((?:\\x[0-9a-f]{2})*)>/.exec(args) ?? [];
  const texts = [...args.matchAll(new RegExp(hexText, "g"))].map(([, hex = ""]) => bytesOf(hex));
  const path = descriptor === undefined ? String(texts[0] ?? "") : String(bytesOf(descriptor));
  return {
    name,
    path,
    target: descriptor === undefined ? String(texts[1] ?? "") : "",
    bytes: descriptor === undefined ? Buffer.alloc(0) : (texts[0] ?? Buffer.alloc(0)),
    number: Number(args.slice(args.lastIndexOf(", ") + 2)),
  };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(String.raw`\x`, ""), "hex");
}
