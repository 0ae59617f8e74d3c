// The way from an executor's result, or the lead's last word over edits of its own, to the review: snapshot, hunks, checks. Each step is in the journal before the
// next, so that a submission that was cut goes on where it was.

import type { AgentId, Oid } from "../../shared/contract/ids.ts";
import type { FileChange } from "../domain/records.ts";
import { type Claim, isInsideClaim } from "../domain/claims.ts";
import { hasConflictMarks } from "../domain/conflictMarks.ts";
import { ownSetOf } from "../domain/leadWork.ts";
import { protectionWith } from "../domain/protectedPaths.ts";
import {
  type ChangeSetState,
  findChangeSet,
  findNode,
  nextNumber,
  requireNode,
  type RunState,
} from "../domain/state.ts";
import { ensurePlace } from "./places.ts";
import { hiddenRefs } from "./ports/git.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";
import { missingChecks, verify } from "./verification.ts";

/** Of what git cannot hold, so many are named in the journal. */
const maxLeftOut = 200;

/** Carries out the submission that `agent` owes. Returns early when the signal aborts; what is missing is owed again. */
export async function submitWork(room: WorkRoom, agent: AgentId, signal: AbortSignal): Promise<void> {
  const { dispatcher } = room;
  const author = authorOf(dispatcher.state(), agent);
  if (!author.set || author.set.n < author.endedN) {
    const proposed = await propose(room, author, signal);
    if (!proposed) return;
  }
  if (signal.aborted) return;
  const state = dispatcher.state();
  const { set } = authorOf(state, agent);
  if (!set) return;
  const commands = missingChecks(state.options, set.verifications);
  const checked = await verify(
    room,
    { agent, changeset: set.id, commit: set.commit, tree: set.tree, commands },
    signal,
  );
  if (signal.aborted) return;
  if (checked.ok) await dispatcher.dispatch({ type: "verification.close", agent });
  else
    await dispatcher.dispatch({ type: "agent.fail", agent, code: checked.error.code, sentence: checked.error.message });
}

/** Whose work it is: an executor's, or the lead's own. */
interface Author {
  readonly agent: AgentId;
  readonly title: string;
  readonly paths: Claim;
  /** The newest of its change sets. */
  readonly set: ChangeSetState | undefined;
  /** Ordinal of its last result, or last word: a change set proposed before it is not of this submission. */
  readonly endedN: number;
}

function authorOf(state: RunState, agent: AgentId): Author {
  if (agent === "lead") {
    return { agent, title: state.title, paths: null, set: ownSetOf(state), endedN: state.lead.spoke?.n ?? 0 };
  }
  const { title, packet, changeSet, resultN } = requireNode(state, agent);
  const set = findChangeSet(state, changeSet);
  return { agent, title, paths: packet.paths, set, endedN: resultN };
}

/** False when there is nothing to review, or when the agent failed here. */
async function propose(room: WorkRoom, author: Author, signal: AbortSignal): Promise<boolean> {
  const { dispatcher, git } = room;
  const { repo, run } = dispatcher.state();
  const { agent, title } = author;
  const place = await ensurePlace(room, agent, signal);
  if (signal.aborted) return false;
  if (!place.ok) return failAgent(room, agent, place.error.code, place.error.message);
  const ref = hiddenRefs.changeSet(run, agent, nextNumber(dispatcher.state(), agent));
  await git.adoptObjects(repo, objectFolderOf(room.folders, agent));
  // Who goes on with another's proposal makes a change to what that one was a change to.
  const base = findNode(dispatcher.state(), agent)?.base ?? place.value.root;
  const snapshot = await git.snapshot(repo, place.value, base, ref, title);
  if (!snapshot.ok) return failAgent(room, agent, snapshot.error.code, snapshot.error.message);
  const { commit, tree, isEmpty } = snapshot.value;
  const leftOut = snapshot.value.leftOut.slice(0, maxLeftOut);
  if (isEmpty) {
    await dispatcher.dispatch({ type: "changeset.empty", agent, base, leftOut });
    return false;
  }
  const isProtected = protectionWith(dispatcher.state().protectedPaths);
  const changes = await git.changesBetween(repo, base, commit);
  const marks = await findMarks(room, agent, commit);
  const files = changes.map((file) => marked(file, author, { isProtected, marks }));
  const receipt = await dispatcher.dispatch({
    type: "changeset.propose",
    agent,
    base,
    commit,
    tree,
    ref,
    files,
    leftOut,
  });
  return receipt.ok;
}

async function failAgent(room: WorkRoom, agent: AgentId, code: string, sentence: string): Promise<false> {
  await room.dispatcher.dispatch({ type: "agent.fail", agent, code, sentence });
  return false;
}

/** A file that is longer is not read for marks. */
const maxMarkedBytes = 8 * 1024 * 1024;

/** The files that were in conflict when the target was brought in, and in which the marks of that still stand. */
async function findMarks({ git, dispatcher }: WorkRoom, agent: AgentId, commit: Oid): Promise<ReadonlySet<string>> {
  const { repo, changeSets } = dispatcher.state();
  const asked = new Set(changeSets.flatMap((set) => (set.agent === agent ? set.conflicts : [])));
  const found = new Set<string>();
  for (const path of asked) {
    const text = await git.readFileAt(repo, commit, path, maxMarkedBytes);
    if (text !== null && hasConflictMarks(text)) found.add(path);
  }
  return found;
}

interface Asking {
  readonly isProtected: (path: string) => boolean;
  readonly marks: ReadonlySet<string>;
}

/** Marks what does not land unasked: a conflict that is not resolved, a protected path, or one outside the claim. Both names of a moved file count. */
function marked(file: FileChange, { paths: claim }: Author, { isProtected, marks }: Asking): FileChange {
  const paths = file.from === undefined ? [file.path] : [file.path, file.from];
  if (marks.has(file.path)) return { ...file, asks: "CONFLICT_MARKS" };
  if (paths.some(isProtected)) return { ...file, asks: "PROTECTED_PATH" };
  if (paths.some((path) => !isInsideClaim(path, claim))) return { ...file, asks: "OUTSIDE_PATHS" };
  return file;
}
