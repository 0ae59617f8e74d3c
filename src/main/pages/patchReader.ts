// The lines of a change set as git has them: the rows of one file's diff, the lines around it, and where it conflicts with its
// target. Reads only; keeps what was read last, since a file is paged through.

import type { ConflictsPage, FileLinesPage, PageRequest, PatchPage } from "../../shared/contract/pages.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import type { ChangeSetState, RunState } from "../domain/state.ts";
import type { GitPort, LineConflict } from "../engine/ports/git.ts";
import { clipAll, fitPage, jsonBytes } from "./fit.ts";
import { type FileRows, rowsByFile } from "./patchRows.ts";

/** Bytes of a change set's patch that are read for its rows. */
const maxPatchBytes = 64 * 1024 * 1024;
/** Bytes of one file that are read for the lines around its hunks. */
const maxFileBytes = 16 * 1024 * 1024;
const maxLineChars = 2_000;
const maxRegions = 100;
/** Bytes of JSON that the places shown whole may take together; the others are shown by their beginnings. */
const maxWholeBytes = 80 * 1024;
/** What is left of a page is shared by those: 100 of them at most. */
const maxExcerptBytes = 1_000;
const shownLines = 12;
const shownChars = 120;

interface Kept<Value> {
  readonly key: string;
  readonly value: Promise<Value>;
}

type Asked = { readonly changeset: string; readonly path: string };

export class PatchReader {
  readonly #git: GitPort;
  #patch: Kept<ReadonlyMap<string, FileRows>> | null = null;
  #file: Kept<readonly string[] | null> | null = null;

  constructor(git: GitPort) {
    this.#git = git;
  }

  /** Codes `CHANGE_SET_NOT_FOUND`, `UNKNOWN_HUNK` for a path that is not in it, `REPOSITORY_NOT_FOUND` where git cannot read it any more. */
  async page(state: RunState, { changeset, path, after, limit }: PageRequest<"patch">): Promise<Result<PatchPage>> {
    const found = requireFile(state, { changeset, path });
    if (!found.ok) return found;
    const set = found.value;
    const key = `${state.run} ${set.id} ${set.commit}`;
    if (this.#patch?.key !== key) {
      const patch = this.#git.patchBetween(state.repo, set.base, set.commit, maxPatchBytes);
      this.#patch = { key, value: patch.then((text) => rowsByFile(text, set.files)) };
    }
    const { value } = this.#patch;
    const read = await readable(state, set, () => value);
    if (!read.ok) this.#patch = null;
    if (!read.ok) return read;
    const { rows, withoutLines, oldMode, newMode } = read.value.get(path) ?? noRows;
    const items = rows.slice(after, after + limit);
    const next = after + items.length < rows.length ? after + items.length : null;
    const page = fitPage({ items, next }, (_row, index) => after + index + 1);
    return succeed({ ...page, rowCount: rows.length, withoutLines, oldMode, newMode });
  }

  /** Codes as of `page`. A file that is no text, or does not exist, has no lines. */
  async fileLines(
    state: RunState,
    { changeset, path, after, limit }: PageRequest<"fileLines">,
  ): Promise<Result<FileLinesPage>> {
    const found = requireFile(state, { changeset, path });
    if (!found.ok) return found;
    const set = found.value;
    const isDeleted = set.files.some((file) => file.path === path && file.change === "deleted");
    const commit = isDeleted ? set.base : set.commit;
    const key = `${state.run} ${commit} ${path}`;
    if (this.#file?.key !== key) {
      const text = this.#git.readFileAt(state.repo, commit, path, maxFileBytes);
      this.#file = { key, value: text.then((read) => (read === null ? null : linesOf(read))) };
    }
    const { value } = this.#file;
    const read = await readable(state, set, () => value);
    if (!read.ok) this.#file = null;
    if (!read.ok) return read;
    const lines = read.value ?? [];
    const items = lines.slice(after, after + limit).map((line) => line.slice(0, maxLineChars));
    const next = after + items.length < lines.length ? after + items.length : null;
    return succeed({ ...fitPage({ items, next }, (_line, index) => after + index + 1), lineCount: lines.length });
  }

  /** Codes as of `page`. Against the target's tip of now. */
  async conflicts(
    state: RunState,
    { changeset, path, accepted }: PageRequest<"conflicts">,
  ): Promise<Result<ConflictsPage>> {
    const found = requireFile(state, { changeset, path });
    if (!found.ok) return found;
    const set = found.value;
    const { base, commit } = set;
    const { repo } = state;
    return readable(state, set, async () => {
      const target = await this.#git.readRef(repo, set.target.ref);
      if (target === null)
        return { path, tip: "", kind: "none", target: null, proposed: null, regionCount: 0, regions: [] };
      const tree =
        accepted === undefined
          ? set.tree
          : await this.#git.composeTree(repo, base, commit, { [path]: accepted.hunks }, accepted.amendments);
      const { regions, ...sides } = await this.#git.conflictsIn(repo, { base, target, tree }, path);
      return { path, tip: target, ...sides, regionCount: regions.length, regions: boundedRegions(regions) };
    });
  }
}

const noRows: FileRows = { rows: [], withoutLines: "tooLong", oldMode: null, newMode: null };

/** Whole while there is room, since a person edits what is shown; what is cut says so. One that is too large takes no room from the others. */
export function boundedRegions(regions: readonly LineConflict[]): ConflictsPage["regions"] {
  let room = maxWholeBytes;
  return regions.slice(0, maxRegions).map((region) => {
    const whole = { ...region, isCut: false };
    const bytes = jsonBytes(whole);
    if (bytes > room) return excerptOfRegion(region);
    room -= bytes;
    return whole;
  });
}

/** Its sides by their first lines, as many as fit; at worst none of them. */
function excerptOfRegion({ line, endsWithLine, ...parts }: LineConflict): ConflictsPage["regions"][number] {
  const { before, after, base, target, proposed } = parts;
  const shown = (count: number) => {
    const cut = (lines: readonly string[]) => clipAll(lines, count, shownChars);
    const sides = { base: cut(base), target: cut(target), proposed: cut(proposed) };
    return { line, before: cut(before), after: cut(after), ...sides, isCut: true, endsWithLine };
  };
  const counts = Array.from({ length: shownLines }, (_, less) => shownLines - less);
  return counts.map(shown).find((excerpt) => jsonBytes(excerpt) <= maxExcerptBytes) ?? shown(0);
}

function requireFile(state: RunState, { changeset, path }: Asked): Result<ChangeSetState> {
  const set = state.changeSets.find((one) => one.id === changeset);
  if (!set) return fail(changeSetNotFound(state, changeset));
  return set.files.some((file) => file.path === path)
    ? succeed(set)
    : fail({ code: "UNKNOWN_HUNK", message: `${set.id} changes no file ${path}.` });
}

async function readable<Value>(
  { repo }: RunState,
  set: ChangeSetState,
  read: () => Promise<Value>,
): Promise<Result<Value>> {
  try {
    return succeed(await read());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fail({
      code: "REPOSITORY_NOT_FOUND",
      message: `The diff of ${set.id} cannot be read in ${repo.topLevel}: ${reason}`,
    });
  }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return text.endsWith("\n") || text === "" ? lines.slice(0, -1) : lines;
}

export function changeSetNotFound({ run }: RunState, changeset: string): Failure {
  return { code: "CHANGE_SET_NOT_FOUND", message: `${run} has no change set ${changeset} at this moment.` };
}
