// Looking after what runs leave: pinned work, finished runs, files nobody needs. Refuses where something would be lost
// that a person has not let go of.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId, Oid, RunId } from "../../shared/contract/ids.ts";
import { counted, type TellProgress } from "../../shared/contract/progress.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { fold } from "../domain/evolve.ts";
import type { RunState } from "../domain/state.ts";
import { hiddenRefs } from "../engine/ports/git.ts";
import type { RunRow } from "../engine/ports/store.ts";
import type { Ports } from "./liveRun.ts";
import { notingRefs, removeLooseRefs } from "./looseRefs.ts";
import { storedState } from "./storedState.ts";

/** How long work that did not land can be brought back. */
export const keepMs = 30 * 24 * 60 * 60_000;

/** Work that did not land: failed, cancelled, rejected or replaced. */
export interface PinnedWork {
  /** Names it within its run. */
  readonly id: AgentId;
  readonly run: RunId;
  readonly agent: AgentId;
  readonly reason: string;
  readonly ref: string;
  readonly commit: Oid;
  readonly files: readonly string[];
  /** Epoch ms. */
  readonly until: number;
}

export interface Freed {
  readonly pins: number;
  readonly folders: number;
  readonly payloads: number;
  readonly bytes: number;
}

/** The branch that an agent's pinned work is brought back on. */
export function restoredBranch(run: RunId, agent: string): string {
  return `coppice-restored/${run}-${agent}`;
}

export class Care {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** What can be brought back of these runs, oldest first. A pin whose ref is gone is left out. */
  async listPinned(rows: readonly RunRow[]): Promise<readonly PinnedWork[]> {
    const found: PinnedWork[] = [];
    for (const row of rows) {
      const journal = await this.#ports.store.readJournal(row.run);
      const state = fold(journal);
      if (!state) continue;
      for (const event of journal) {
        if (event.type !== "worktree.pinned" || (await this.#findRef(state, event.data.ref)) !== event.data.commit)
          continue;
        const base = state.nodes.find((node) => node.id === event.agent)?.root ?? state.base.commit;
        const files = (await this.#ports.git.changesBetween(state.repo, base, event.data.commit)).map(
          (file) => file.path,
        );
        const { ref, commit, reason } = event.data;
        found.push({
          id: event.agent,
          run: row.run,
          agent: event.agent,
          reason,
          ref,
          commit,
          files,
          until: event.at + keepMs,
        });
      }
    }
    return found.toSorted((left, right) => left.until - right.until);
  }

  /** Puts pinned work on a branch of its own, `coppice-restored/<run>-<agent>`. Codes `NOTHING_PINNED`, `BAD_BRANCH_NAME`. */
  async restore(row: RunRow, id: string): Promise<Result<{ readonly branch: string; readonly commit: Oid }>> {
    const work = (await this.listPinned([row])).findLast((one) => one.id === id);
    const state = fold(await this.#ports.store.readJournal(row.run));
    if (!work || !state)
      return fail({
        code: "NOTHING_PINNED",
        message: `${row.run} has no pinned work of ${id}; coppice restore ${row.run} lists what there is.`,
      });
    const branch = restoredBranch(row.run, id);
    const checked = await this.#ports.git.checkBranchName(state.repo, branch);
    if (!checked.ok) return checked;
    const ref = `refs/heads/${branch}`;
    const standing = await this.#findRef(state, ref);
    if (standing === work.commit) return succeed({ branch, commit: work.commit });
    const isMade =
      standing === null &&
      (await this.#ports.git.swapRef(state.repo, ref, null, work.commit, `coppice: restore ${id} of ${row.run}`));
    return isMade
      ? succeed({ branch, commit: work.commit })
      : fail({
          code: "BAD_BRANCH_NAME",
          message: `The branch ${branch} exists and holds something else; rename it, then restore again.`,
        });
  }

  setPinned(run: RunId, isPinned: boolean): Promise<Result<null>> {
    return this.#ports.store.setPinned(run, isPinned);
  }

  /** Deletes a stopped run: its journal, and its hidden refs in the repository. What has landed stays. Codes `NOT_ALLOWED_NOW`, `RUN_PINNED`, `DRIVEN_ELSEWHERE`. */
  async deleteRun(row: RunRow): Promise<Result<Freed>> {
    if (row.status !== "stopped" && row.status !== "imported" && row.status !== "quarantined")
      return fail({
        code: "NOT_ALLOWED_NOW",
        message: `${row.run} is ${row.status}; cancel it first: coppice cancel ${row.run}.`,
      });
    // What was imported left nothing in a repository here; what is damaged may not say where its refs are.
    const state = row.status === "imported" ? null : await storedState(this.#ports.store, row.run);
    const remove = async () => {
      const removed = await this.#ports.store.deleteRun(row.run);
      if (!removed.ok) return removed;
      const pins = state ? await this.#deleteRefs(state, () => true) : 0;
      return succeed({ pins, folders: 0, ...removed.value });
    };
    const removed = await (state ? notingRefs(this.#ports, { run: row.run, repo: state.repo }, remove) : remove());
    if (!removed.ok) return removed;
    await this.#ports.git.removeFolder(join(this.#ports.home, "runs", row.run));
    return removed;
  }

  /** Deletes finished runs that are not pinned and in which nothing has happened since `before` (epoch ms), unless something of them still waits for a person. Answers with how many. */
  async retireRuns(before: number, tell: TellProgress = () => undefined): Promise<number> {
    let count = 0;
    const rows = await this.#ports.store.listRuns();
    for (const row of counted(rows, rows.length, "run", tell)) {
      if (row.status !== "stopped" || row.pinned || row.updatedAt >= before) continue;
      const state = await storedState(this.#ports.store, row.run);
      if (!state || state.updatedAt >= before || state.approvals.some(({ status }) => status === "open")) continue;
      if ((await this.deleteRun(row)).ok) count += 1;
    }
    return count;
  }

  /** Removes what nobody can need: pins past their 30 days, refs of runs that died while they were made or deleted, folders of runs that have stopped, payloads that no event names. */
  async collectGarbage(now: number, tell: TellProgress = () => undefined): Promise<Freed> {
    const rows = await this.#ports.store.listRuns();
    let pins = await removeLooseRefs(this.#ports);
    for (const row of counted(rows, rows.length, "run", tell)) {
      if (row.status !== "stopped" || row.pinned || now - row.updatedAt < keepMs) continue;
      const state = await storedState(this.#ports.store, row.run);
      if (!state || now - state.updatedAt < keepMs) continue;
      const base = hiddenRefs.base(row.run);
      pins += await this.#deleteRefs(state, (ref) => ref !== base);
    }
    const folders = await this.#removeFolders(tell);
    return { pins, folders, ...(await this.#ports.store.sweepPayloads()) };
  }

  /** Folders of runs that have stopped or do not exist; a run that may go on keeps its own. */
  async #removeFolders(tell: TellProgress): Promise<number> {
    const folder = join(this.#ports.home, "runs");
    // The names first: a run is in the journal before it has a folder, so one that begins meanwhile is not taken for gone.
    const names = await readdir(folder).catch(() => []);
    const rows = await this.#ports.store.listRuns();
    const live = new Set<string>(rows.filter((row) => row.status !== "stopped").map((row) => row.run));
    const idle = names.filter((name) => !live.has(name));
    for (const name of counted(idle, idle.length, "folder", tell)) {
      await this.#ports.git.removeFolder(join(folder, name));
    }
    return idle.length;
  }

  async #deleteRefs(state: RunState, isDue: (ref: string) => boolean): Promise<number> {
    // A repository that has been moved or deleted has taken its refs with it.
    const refs = await this.#ports.git.listHiddenRefs(state.repo, state.run).catch(() => []);
    const due = refs.filter(({ ref }) => isDue(ref));
    const kept = due.length === 0 ? [] : await this.#ports.git.deleteHiddenRefs(state.repo, due);
    return due.length - kept.length;
  }

  #findRef(state: RunState, ref: string): Promise<Oid | null> {
    return this.#ports.git.readRef(state.repo, ref).catch(() => null);
  }
}
