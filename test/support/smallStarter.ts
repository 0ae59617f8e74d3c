// Runs programs to their end from a small process that does nothing else: a fork copies the page tables of whoever forks,
// which takes a test's worker longer than git takes. Synchronous, as the set-up of tests is.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array | string;
}

export interface ProgramEnd {
  /** Null when a signal ended it, or it never ran. */
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Why it never ran: the system's words. */
  readonly failure: string | null;
}

/** More than any test reads, bytes. */
const maxBuffer = 256 * 1024 * 1024;

/** Files that what is asked and what is answered go through, each with its length before it. */
interface Line {
  readonly ask: number;
  readonly answer: number;
}

/**
 * The small process, as text for a bare Node (which needs three times as long to start with TypeScript): it answers one
 * run after the other, and ends with whoever started it.
 */
const source = String.raw`
const { spawnSync } = require("node:child_process");
const { openSync, readSync, writeSync } = require("node:fs");
const { deserialize, serialize } = require("node:v8");

const [ask, answer] = [openSync(process.argv[1], "r"), openSync(process.argv[2], "w")];

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(ask, bytes, at, length - at, null);
    if (count === 0) process.exit();
    at += count;
  }
  return bytes;
}

for (;;) {
  const { file, args, ...options } = deserialize(read(read(4).readUInt32LE()));
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  const body = serialize({ status, stdout, stderr, failure: error ? error.message : null });
  const bytes = Buffer.concat([Buffer.alloc(4), body]);
  bytes.writeUInt32LE(body.length);
  for (let at = 0; at < bytes.length; ) at += writeSync(answer, bytes, at);
}
`;

let line: Line | undefined;

function startLine(): Line {
  const folder = mkdtempSync(join(tmpdir(), "coppice-starter-"));
  try {
    const paths = [join(folder, "ask"), join(folder, "answer")] as const;
    execFileSync("mkfifo", paths);
    spawn(process.execPath, ["-e", source, ...paths], { stdio: ["ignore", "ignore", "inherit"] }).unref();
    // Each is opened once the other end is there too; their names have done their work then.
    return { ask: openSync(paths[0], "w"), answer: openSync(paths[1], "r") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(to: number, message: object): void {
  const body = serialize(message);
  const bytes = Buffer.concat([Buffer.alloc(4), body]);
  bytes.writeUInt32LE(body.length);
  for (let at = 0; at < bytes.length;) at += writeSync(to, bytes, at);
}

function read(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const count = readSync(from, bytes, at, length - at, null);
    if (count === 0) throw new Error("The process that starts others has ended.");
    at += count;
  }
  return bytes;
}

/** Runs a program to its end. Where the system has no named pipes it is started from here. */
export function runProgram({ input, ...run }: ProgramRun): ProgramEnd {
  const asked = { ...run, maxBuffer, ...(input === undefined ? {} : { input }) };
  if (process.platform === "win32") {
    const { error, ...end } = spawnSync(run.file, [...run.args], asked);
    return { ...end, failure: error?.message ?? null };
  }
  line ??= startLine();
  write(line.ask, asked);
  return deserialize(read(line.answer, read(line.answer, 4).readUInt32LE())) as ProgramEnd;
}
