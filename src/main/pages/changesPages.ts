// A change set as a reviewer reads it: files and hunks as the journal numbers them, the checks that ran, how the target
// has moved, who else touches the same files, and what became of it.

import type { ChangedFile, ChangesPage, PageRequest } from "../../shared/contract/pages.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { FileChange } from "../domain/records.ts";
import { type ChangeSetState, findApproval, findNode, type RunState } from "../domain/state.ts";
import type { DriftReader } from "./driftReader.ts";
import { changeOverlaps } from "./changeOverlaps.ts";
import { clipAll, excerptOf, fitPage } from "./fit.ts";
import type { Moment } from "./pageMoment.ts";
import { checkingOf } from "./checking.ts";
import { changeSetNotFound } from "./patchReader.ts";

const maxHunks = 500;
const maxPaths = 200;
const maxChecks = 20;
const filesBytes = 100 * 1024;

/** Codes `CHANGE_SET_NOT_FOUND`. */
export async function changesPage(
  { state, isNow }: Moment,
  request: PageRequest<"changes">,
  drifts: DriftReader,
): Promise<Result<ChangesPage>> {
  const set = state.changeSets.find((one) => one.id === request.changeset);
  if (!set) return fail(changeSetNotFound(state, request.changeset));
  const approval = set.approval === null ? undefined : findApproval(state, set.approval);
  return succeed({
    changeset: set.id,
    agent: set.agent,
    isLine: set.isLine,
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
    amended: set.amendments
      .slice(0, maxHunks)
      .map((one) => ({ path: one.path, hunk: one.hunk, how: "text" in one ? "text" : "leftOut" })),
    message: set.message && excerptOf(set.message, 4_000),
    held: set.held && { code: set.held.code, sentence: excerptOf(set.held.sentence, 1_000) },
    conflicts: clipAll(set.conflicts, maxPaths, 200),
    leftOut: clipAll(set.leftOut, maxPaths, 200),
    summary: summaryOf(state, set),
    hunkCount: set.hunks,
    fileCount: set.files.length,
    files: filesOf(set, request),
    checks: checksOf(set),
    checking: checkingOf(state.options.verify, set),
    drift: isNow ? await drifts.read(state, set) : null,
    landing: landingOf(state, set),
    overlaps: changeOverlaps(state.changeSets, set),
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

/** The newest landing of it that moved the branch; one that is taken back may land again. */
function landingOf(state: RunState, set: ChangeSetState): ChangesPage["landing"] {
  const landing = state.landings.findLast(
    ({ changeset, undoes, status }) =>
      changeset === set.id && undoes === null && (status === "landed" || status === "undone"),
  );
  if (!landing) return null;
  const undo = state.landings.findLast(({ undoes }) => undoes === landing.id);
  const status = landing.status === "undone" ? "takenBack" : undo?.status === "begun" ? "takingBack" : "landed";
  return {
    landing: landing.id,
    commit: landing.new,
    status,
    undo: status === "takenBack" ? (undo?.new ?? null) : null,
    hooks: landing.hooks,
  };
}
