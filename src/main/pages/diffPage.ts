// A change set as a patch that `git apply` takes, a piece at a time. One that is too long to be copied is refused, not cut.

import type { PageRequest } from "../../shared/contract/pages.ts";
import type { DiffPage } from "../../shared/contract/runPages.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { ChangeSetState, RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { pieceOf } from "./contents.ts";

/** Most bytes of a patch that is handed out. */
const maxBytes = 4 * 1024 * 1024;

/** How `patchBetween` ends a patch that it has cut. */
const cutMark = /\n\.\.\. cut here: [^\n]*\n$/;

/** Keeps the patch that was read last: it is asked for piece by piece. */
export class DiffReader {
  readonly #git: GitPort;
  #last: { readonly key: string; readonly text: Promise<string> } | null = null;

  constructor(git: GitPort) {
    this.#git = git;
  }

  /** Codes `CHANGE_SET_NOT_FOUND`, `BAD_USAGE` for one that is too long, `REPOSITORY_NOT_FOUND` where git cannot read it any more. */
  async page(state: RunState, { changeset, after }: PageRequest<"diff">): Promise<Result<DiffPage>> {
    const set = state.changeSets.find((one) => one.id === changeset);
    if (!set)
      return fail({
        code: "CHANGE_SET_NOT_FOUND",
        message: `${state.run} has no change set ${changeset} at this moment.`,
      });
    try {
      const text = await this.#read(state, set);
      if (cutMark.test(text.slice(-200))) return fail(tooLong(state, set));
      return succeed(pieceOf(text, Math.min(after, text.length)));
    } catch (cause) {
      this.#last = null;
      const reason = cause instanceof Error ? cause.message : String(cause);
      return fail({
        code: "REPOSITORY_NOT_FOUND",
        message: `The patch of ${set.id} cannot be read in ${state.repo.topLevel}: ${reason}`,
      });
    }
  }

  #read(state: RunState, set: ChangeSetState): Promise<string> {
    const key = `${state.run} ${set.id} ${set.commit}`;
    if (this.#last?.key !== key)
      this.#last = { key, text: this.#git.patchBetween(state.repo, set.base, set.commit, maxBytes) };
    return this.#last.text;
  }
}

function tooLong({ run }: RunState, { id, agent }: ChangeSetState) {
  return {
    code: "BAD_USAGE",
    message: `The patch of ${id} is longer than ${maxBytes / 1024 / 1024} MiB; write it to a file with coppice diff ${run} ${agent}.`,
  };
}
