// How a worktree stands, in words, and what each act on it comes to, in numbers. Pure.

import type { WorktreeAct, WorktreeLine, WorktreeStanding } from "../../../shared/contract/worktrees.ts";
import type { Shape } from "../../ui/Mark.tsx";
import { countOf } from "../../ui/formats.ts";

export const standingMarks: Readonly<Record<WorktreeStanding, readonly [shape: Shape, word: string]>> = {
  inOrder: ["done", "In order"],
  passing: ["working", "In use"],
  gone: ["recovered", "Folder gone"],
  unconnected: ["needs-you", "Not known to git"],
  leftOver: ["needs-you", "Left over"],
  forgotten: ["needs-you", "Folder gone"],
  locked: ["waiting", "Locked"],
  unknown: ["stopped", "Of no repository"],
};

type Told = Pick<WorktreeLine, "standing" | "changedCount" | "looseCount" | "branch" | "lock">;

/** What a person has to know of it. */
export function standingSentence(line: Told): string {
  switch (line.standing) {
    case "inOrder":
      return line.changedCount === 0
        ? "Nothing in it differs from where it began."
        : `${countOf(line.changedCount, "file")} ${line.changedCount === 1 ? "differs" : "differ"} from where it began.`;
    case "passing":
      return "Its run goes on, and clears it up itself.";
    case "gone":
      return "It is made anew when its agent goes on; what was proposed is kept.";
    case "unconnected":
      return "The folder stands, but git has no entry for it or another: what its agent does with git there fails.";
    case "leftOver":
      return `No run that goes on has it. It holds ${holdings(line)}.`;
    case "forgotten":
      return `Git still notes it${line.looseCount === 0 ? "" : `, and with it ${countOf(line.looseCount, "commit")} that no branch has`}.`;
    case "locked":
      return `You have locked it${line.lock === null || line.lock === "" ? "" : `: ${line.lock}`}. It is left alone.`;
    case "unknown":
      return "No repository that a run here was about has it. It is left alone.";
  }
}

function holdings({ changedCount, looseCount }: Told): string {
  const parts = [
    changedCount === 0 ? null : countOf(changedCount, "changed file"),
    looseCount === 0 ? null : `${countOf(looseCount, "commit")} that no branch has`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "nothing that is not elsewhere" : parts.join(" and ");
}

interface ActWords {
  /** On the button. */
  readonly verb: string;
  /** What it comes to, a sentence each; none where nothing goes. */
  readonly consequences: readonly string[];
}

export function actWords(act: WorktreeAct, line: Told): ActWords {
  if (act === "repair") return { verb: "Repair", consequences: [] };
  const isEmpty = line.changedCount + line.looseCount === 0;
  const goes = line.changedCount + line.looseCount === 1 ? "goes" : "go";
  const kept = isEmpty
    ? "It holds nothing to keep."
    : `${capital(holdings(line))} ${goes} to the branch ${line.branch}.`;
  return act === "forget"
    ? {
        verb: isEmpty ? "Forget" : "Keep and forget",
        consequences: [kept, "Git notes it no more. No file is touched."],
      }
    : {
        verb: isEmpty ? "Remove" : "Keep and remove",
        consequences: [kept, "The folder is removed, with the files in it that git ignores."],
      };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
