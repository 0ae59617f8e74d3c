// A change set as a reviewer reads it: files and hunks as the journal numbers them, the checks that ran, how the target
// has moved, and the lines of one file's diff.

import type { ChangedFile, ChangesPage, PageRequest, PatchPage } from "../../shared/contract/pages.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { FileChange } from "../domain/events.ts";
import { type ChangeSetState, findApproval, findNode, type RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { clipAll, excerptOf, fitPage } from "./fit.ts";
import { type FileRows, rowsByFile } from "./patchRows.ts";
import type { Moment } from "./pageMoment.ts";

/** Bytes of a change set's patch that are read for its rows. */
const maxPatchBytes = 64 * 1024 * 1024;

const maxHunks = 500;
const maxPaths = 200;
const maxChecks = 20;
const filesBytes = 100 * 1024;

/** Codes `CHANGE_SET_NOT_FOUND`. */
export async function changesPage(
  { state, isNow }: Moment,
  request: PageRequest<"changes">,
  git: GitPort,
): Promise<Result<ChangesPage>> {
  const set = state.changeSets.find((one) => one.id === request.changeset);
  if (!set) return fail(notFound(state, request.changeset));
  const approval = set.approval === null ? undefined : findApproval(state, set.approval);
  return succeed({
    changeset: set.id,
    agent: set.agent,
    status: set.status,
    base: set.base,
    commit: set.commit,
    target: set.target.branch,
    approval: set.approval,
    decision:
      approval?.decision == null
        ? null
        : {
            decision: approval.decision,
            by: approval.by ?? "",
            comment: approval.comment && excerptOf(approval.comment, 2_000),
          },
    selection: set.selection === null || set.selection === "all" ? set.selection : boundedSelection(set.selection),
    message: set.message && excerptOf(set.message, 4_000),
    held: set.held && { code: set.held.code, sentence: excerptOf(set.held.sentence, 1_000) },
    conflicts: clipAll(set.conflicts, maxPaths, 200),
    summary: summaryOf(state, set),
    hunkCount: set.hunks,
    fileCount: set.files.length,
    files: filesOf(set, request),
    checks: checksOf(set),
    drift: isNow ? await driftOf(state, set, git) : null,
    overlaps: overlapsOf(state, set),
  });
}

function filesOf(set: ChangeSetState, { after, limit }: PageRequest<"changes">): ChangesPage["files"] {
  const items = set.files.slice(after, after + limit).map(shownFile);
  const next = after + items.length < set.files.length ? after + items.length : null;
  return fitPage({ items, next }, (_file, index) => after + index + 1, filesBytes);
}

function shownFile({ hunks, ...file }: FileChange): ChangedFile {
  return { ...file, hunkCount: hunks.length, hunks: hunks.slice(0, maxHunks) };
}

function boundedSelection(selection: { readonly [path: string]: readonly number[] }): {
  readonly [path: string]: readonly number[];
} {
  return Object.fromEntries(
    Object.entries(selection)
      .slice(0, maxPaths)
      .map(([path, numbers]) => [path, numbers.slice(0, maxHunks)]),
  );
}

function summaryOf(state: RunState, set: ChangeSetState): string | null {
  const node = set.agent === "lead" ? undefined : findNode(state, set.agent);
  return node?.result ? excerptOf(node.result.answer, 4_000) : null;
}

function checksOf(set: ChangeSetState): ChangesPage["checks"] {
  const share = Math.floor(10_000 / Math.max(1, Math.min(maxChecks, set.verifications.length)));
  return set.verifications.slice(-maxChecks).map(({ command, exitCode, outcome, durationMs, output, tree }) => ({
    command: excerptOf(command, 400),
    exitCode,
    outcome,
    durationMs,
    output: excerptOf(output, share),
    isOfProposal: tree === set.tree,
  }));
}

/** A repository that was moved or deleted, or a branch that is gone, has no drift to tell of. */
async function driftOf(state: RunState, set: ChangeSetState, git: GitPort): Promise<ChangesPage["drift"]> {
  try {
    const tip = await git.readRef(state.repo, set.target.ref);
    if (tip === null) return null;
    const drift = await git.driftBetween(
      state.repo,
      set.base,
      tip,
      set.files.map(({ path }) => path),
    );
    return { tip, ...drift, paths: clipAll(drift.paths, maxPaths, 200) };
  } catch {
    return null;
  }
}

const waits: ReadonlySet<ChangeSetState["status"]> = new Set(["proposed", "open", "approved", "landing", "held"]);

function overlapsOf(state: RunState, set: ChangeSetState): ChangesPage["overlaps"] {
  const own = new Set(set.files.map(({ path }) => path));
  return state.changeSets
    .filter((other) => other.agent !== set.agent && other.agent !== "lead" && waits.has(other.status))
    .map((other) => ({
      changeset: other.id,
      agent: other.agent,
      paths: other.files.map(({ path }) => path).filter((path) => own.has(path)),
    }))
    .filter(({ paths }) => paths.length > 0)
    .slice(0, 20)
    .map((overlap) => ({ ...overlap, paths: clipAll(overlap.paths, 10, 200) }));
}

/** Reads patches, and keeps the one that was read last: its files are paged through one after the other. */
export class PatchReader {
  readonly #git: GitPort;
  #last: { readonly key: string; readonly files: Promise<ReadonlyMap<string, FileRows>> } | null = null;

  constructor(git: GitPort) {
    this.#git = git;
  }

  /** Codes `CHANGE_SET_NOT_FOUND`, `UNKNOWN_HUNK` for a path that is not in it, `REPOSITORY_NOT_FOUND` where git cannot read it any more. */
  async page(state: RunState, { changeset, path, after, limit }: PageRequest<"patch">): Promise<Result<PatchPage>> {
    const set = state.changeSets.find((one) => one.id === changeset);
    if (!set) return fail(notFound(state, changeset));
    const read = await this.#read(state, set);
    if (!read.ok) return read;
    const file = read.value.get(path);
    if (!file) return fail({ code: "UNKNOWN_HUNK", message: `${set.id} changes no file ${path}.` });
    const { rows, withoutLines } = file;
    const items = rows.slice(after, after + limit);
    const next = after + items.length < rows.length ? after + items.length : null;
    return succeed({
      ...fitPage({ items, next }, (_row, index) => after + index + 1),
      rowCount: rows.length,
      withoutLines,
    });
  }

  async #read(state: RunState, set: ChangeSetState): Promise<Result<ReadonlyMap<string, FileRows>>> {
    const key = `${state.run} ${set.id} ${set.commit}`;
    if (this.#last?.key !== key) {
      const patch = this.#git.patchBetween(state.repo, set.base, set.commit, maxPatchBytes);
      this.#last = { key, files: patch.then((text) => rowsByFile(text, set.files)) };
    }
    const { files } = this.#last;
    try {
      return succeed(await files);
    } catch (cause) {
      this.#last = null;
      const reason = cause instanceof Error ? cause.message : String(cause);
      return fail({
        code: "REPOSITORY_NOT_FOUND",
        message: `The diff of ${set.id} cannot be read in ${state.repo.topLevel}: ${reason}`,
      });
    }
  }
}

function notFound({ run }: RunState, changeset: string) {
  return { code: "CHANGE_SET_NOT_FOUND", message: `${run} has no change set ${changeset} at this moment.` };
}
