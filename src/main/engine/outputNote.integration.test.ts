// What a command has printed so far is there for whoever asks after its process has died, bounded and without secrets.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { dropNotes, noteOutput, notedOutput } from "./outputNote.ts";
import type { WorkRoom } from "./room.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-notes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A room whose clock runs on when it is told to. */
function roomIn(name: string) {
  const due: (() => void)[] = [];
  const clock = { after: (_ms: number, callback: () => void) => (due.push(callback), () => undefined) };
  const folders = { home: folder, places: folder, run: join(folder, name) };
  const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");
  const room = { folders, clock, redact } as unknown as WorkRoom;
  return { room, pass: () => due.splice(0).forEach((callback) => callback()) };
}

/** Reads until the note says so: writing goes on behind whoever prints. */
async function untilNoted(room: WorkRoom, end: string): Promise<string> {
  for (;;) {
    const text = await notedOutput(room, "subagent-1", "call-1");
    if (text?.endsWith(end) === true) return text;
  }
}

test("what is printed is noted, then every so often, its end and without secrets, and goes with its call", async () => {
  const { room, pass } = roomIn("r1");
  expect(await notedOutput(room, "subagent-1", "call-1")).toBe(null);
  const note = noteOutput(room, "subagent-1", "call-1");
  note.add("logged in with hunter2\n");
  expect(await untilNoted(room, "\n")).toBe("logged in with [redacted]\n");
  note.add("x".repeat(10_000));
  note.add("the end");
  pass();
  expect(await untilNoted(room, "the end")).toBe(`${"x".repeat(3_993)}the end`);
  expect(await notedOutput(room, "subagent-2", "call-1")).toBe(null);
  await note.close();
  expect(readdirSync(join(folder, "r1", "outputs"))).toEqual([]);
});

test("what a process left that died is dropped once it is recorded, and where nothing was left that is no matter", async () => {
  const { room } = roomIn("r2");
  noteOutput(room, "subagent-1", "call-1").add("half\n");
  expect(await untilNoted(room, "\n")).toBe("half\n");
  await dropNotes(room);
  expect([await notedOutput(room, "subagent-1", "call-1"), readdirSync(join(folder, "r2"))]).toEqual([null, []]);
  await dropNotes(room);
});
