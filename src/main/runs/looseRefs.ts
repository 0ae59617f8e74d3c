// Hidden refs for which no run answers. While a run is being made or deleted, a note in the data folder says which repository
// its refs are in, so that a death in between leaves none for ever. It never touches refs of a run that the journal has.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunId } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { identifyThisProcess, isGone, type ProcessIdentity } from "../store/processIdentity.ts";
import type { Ports } from "./liveRun.ts";

interface Note {
  readonly repo: RepositoryFacts;
  /** Who is at it. */
  readonly by: ProcessIdentity;
}

function notesIn(home: string): string {
  return join(home, "git", "refs");
}

/** Carries out `act`, which makes or deletes `run` and its refs in `repo`, with a note of it that goes once that has succeeded. */
export async function notingRefs<T>(
  { home }: Pick<Ports, "home">,
  { run, repo, by = identifyThisProcess() }: { readonly run: RunId } & Pick<Note, "repo"> & Partial<Note>,
  act: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const note = join(notesIn(home), run);
  await mkdir(notesIn(home), { recursive: true });
  await writeFile(note, JSON.stringify({ repo, by } satisfies Note));
  const outcome = await act();
  if (outcome.ok) await rm(note, { force: true });
  return outcome;
}

/** Deletes the refs of noted runs that the journal does not have, once nobody is at them any more. Answers with how many. */
export async function removeLooseRefs({
  home,
  store,
  git,
}: Pick<Ports, "home" | "git"> & { readonly store: Pick<Ports["store"], "listRuns"> }): Promise<number> {
  let count = 0;
  for (const run of (await readdir(notesIn(home)).catch(() => [])) as RunId[]) {
    const file = join(notesIn(home), run);
    const note = await readNote(file);
    if (note !== null && !isGone(note.by, identifyThisProcess())) continue;
    const isStored = (await store.listRuns()).some((row) => row.run === run);
    if (note !== null && !isStored) {
      // A repository that has been moved or deleted has taken its refs with it.
      const refs = await git.listHiddenRefs(note.repo, run).catch(() => []);
      if (refs.length > 0) count += refs.length - (await git.deleteHiddenRefs(note.repo, refs)).length;
    }
    await rm(file, { force: true });
  }
  return count;
}

/** `null` for one whose writing was cut: nothing had been done yet. */
async function readNote(file: string): Promise<Note | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.endsWith("}") ? (JSON.parse(text) as Note) : null;
}
