import { expect, test } from "vitest";

import { createDisk } from "./powerImage.ts";
import { readCalls, type SystemCall } from "./trace.ts";

const file = "/home/journal.db-wal";
const sector = 512;

function call(name: string, more: Partial<SystemCall> = {}): SystemCall {
  return { name, path: file, target: "", bytes: Buffer.alloc(0), number: 0, ...more };
}

function written(letter: string, sectors: number, at = 0): SystemCall {
  return call("pwrite64", { bytes: Buffer.alloc(sectors * sector, letter), number: at });
}

/** Each sector by its first letter, `.` for zeros; `null` where there is no such file. */
function sectorsOf(calls: readonly SystemCall[], chances: readonly number[]): string | null {
  const disk = createDisk();
  for (const each of calls) disk.take(each);
  const rest = [...chances];
  const bytes = disk.cut(() => rest.shift() ?? 0).get(file);
  if (!bytes) return null;
  return Array.from({ length: bytes.length / sector }, (_, index) =>
    String.fromCharCode(bytes[index * sector] || 46),
  ).join("");
}

test("what was synced is in every image, and what was written since is there whole, in part or not at all", () => {
  const calls = [written("a", 3), call("fsync"), written("b", 3)];
  expect([[0], [0.9, 0, 0.9, 0], [0.9, 0.9, 0.9, 0.9]].map((chances) => sectorsOf(calls, chances))).toEqual([
    "bbb",
    "bab",
    "aaa",
  ]);
});

test("a write that is lost before one behind it leaves zeros, and a cut that is lost leaves what it cut", () => {
  const calls = [written("a", 2), written("b", 1, 2 * sector), call("ftruncate", { number: sector })];
  expect([
    sectorsOf(calls.slice(0, 2), [0.9, 0.9, 0.9, 0]),
    sectorsOf(calls, [0, 0, 0.9]),
    sectorsOf(calls, [0, 0, 0]),
  ]).toEqual(["..b", "aab", "a"]);
});

test("a name that was taken may be there until its folder is synced", () => {
  const calls = [written("a", 1), call("fsync"), call("unlink")];
  const later = [...calls, call("fsync", { path: "/home" })];
  expect([sectorsOf(calls, [0]), sectorsOf(calls, [0.9]), sectorsOf(later, [0])]).toEqual(["a", null, null]);
});

test("calls are read in the order in which they returned, those that failed left out", () => {
  const hex = (text: string) => Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16)}`).join("");
  const notes = [
    `7 fsync(9<${hex(file)}> <unfinished ...>`,
    `12 pwrite64(9<${hex(file)}>, "${hex("ab")}", 2, 4096) = 2`,
    `7 <... fsync resumed>)             = 0`,
    `12 unlink("${hex("/gone")}") = -1 ENOENT (No such file or directory)`,
    `12 rename("${hex("/one")}", "${hex("/two")}") = 0`,
    "12 +++ exited with 0 +++",
  ].join("\n");
  expect(readCalls(notes)).toMatchObject([
    { name: "pwrite64", path: file, bytes: Buffer.from("ab"), number: 4096 },
    { name: "fsync", path: file },
    { name: "rename", path: "/one", target: "/two" },
  ]);
});
