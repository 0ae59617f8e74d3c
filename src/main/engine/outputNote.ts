// What a call has printed so far, noted beside the run while it is under way, so that a person who is asked after a crash
// what became of it can see that. Bounded and without secrets; a note that cannot be written costs nothing but itself.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { AgentId } from "../../shared/contract/ids.ts";
import type { OutputNote } from "./ports/agent.ts";
import type { WorkRoom } from "./room.ts";

/** The end of what was printed, UTF-16 units. */
const keptChars = 4_000;
/** Between two writes, ms. */
const paceMs = 200;

/** Begins a note for a call. */
export function noteOutput({ folders, clock, redact }: WorkRoom, agent: AgentId, call: string): OutputNote {
  const file = fileOf(folders.run, agent, call);
  let tail = "";
  let isDue = false;
  let written: Promise<void> = Promise.resolve();
  let endPause: (() => void) | null = null;
  const write = async (): Promise<void> => {
    isDue = false;
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, redact(tail), { mode: 0o600 });
    } catch {
      // Recorded by its absence: whoever is asked is told that nothing is known.
    }
  };
  const begin = (): void => {
    written = written.then(write);
    endPause = clock.after(paceMs, () => {
      endPause = null;
      if (isDue) begin();
    });
  };
  return {
    add(text) {
      tail = (tail + text).slice(-keptChars);
      isDue = true;
      if (endPause === null) begin();
    },
    async close() {
      endPause?.();
      await written;
      await rm(file, { force: true });
    },
  };
}

/** What a call that a crash cut had printed, its end; `null`: nothing is known of it. */
export async function notedOutput({ folders }: WorkRoom, agent: AgentId, call: string): Promise<string | null> {
  try {
    const text = await readFile(fileOf(folders.run, agent, call), "utf8");
    return text === "" ? null : text.slice(-keptChars);
  } catch {
    // It printed nothing, or died before any of it could be noted.
    return null;
  }
}

/** Removes the notes of calls that a crash cut, once what they hold is recorded. Only with nothing under way. */
export async function dropNotes({ folders }: WorkRoom): Promise<void> {
  await rm(join(folders.run, "outputs"), { recursive: true, force: true });
}

/** A call's id is its model's word, and no name of a file. */
function fileOf(folder: string, agent: AgentId, call: string): string {
  return join(folder, "outputs", createHash("sha256").update(`${agent} ${call}`).digest("hex").slice(0, 32));
}
