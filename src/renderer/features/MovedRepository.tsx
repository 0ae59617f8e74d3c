// The way on for a run whose repository is not where it was: the person says where it is now, and the run follows it there.
// Lies beside the features because a run is gone on with from its header and from its transcript.

import { FolderSearch } from "lucide-react";
import { useState } from "react";

import type { RunId } from "../../shared/contract/ids.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { FolderDialog } from "./FolderDialog.tsx";
import { useAct } from "./useAct.ts";

export interface MovedRepositoryProps {
  readonly run: RunId;
  /** Why the run did not go on. */
  readonly failure: Failure | null;
  /** The run has its repository again. */
  readonly onFound: () => void;
}

/** Nothing, unless that is why. */
export function MovedRepository({ run, failure, onFound }: MovedRepositoryProps) {
  const [isAsking, setIsAsking] = useState(false);
  const work = useAct();
  if (failure?.code !== "REPOSITORY_MOVED") return null;
  async function follow(folder: string): Promise<void> {
    if ((await work.act({ type: "rebind", run, folder })) !== null) onFound();
  }
  return (
    <>
      <button type="button" className="btn" disabled={work.isBusy} onClick={() => setIsAsking(true)}>
        <FolderSearch size={13} aria-hidden="true" /> Choose where it is now…
      </button>
      {work.failure !== null && (
        <span className="bad small" role="alert">
          {work.failure.message}
        </span>
      )}
      {isAsking && (
        <FolderDialog
          title="Where is the repository now?"
          act="Go on there"
          onFolder={(folder) => void follow(folder)}
          onClose={() => setIsAsking(false)}
        >
          The run and its worktrees follow the repository there. A copy that lacks the run’s commits, or another
          repository, is refused.
        </FolderDialog>
      )}
    </>
  );
}
