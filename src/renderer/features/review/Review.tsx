// The review of one change set: its files, the diff hunk by hunk, what the system knows, and one bar to decide. Every hunk is
// accepted until it is rejected.

import { ChevronLeft } from "lucide-react";
import { useEffect, useMemo } from "react";

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { usePage, useTopic } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { DecideBar } from "./DecideBar.tsx";
import { FileDiff } from "./FileDiff.tsx";
import { FileList } from "./FileList.tsx";
import { ReviewSide } from "./ReviewSide.tsx";
import { useHunks } from "./useHunks.ts";
import { useReviewKeys } from "./useReviewKeys.ts";

export interface ReviewProps {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
  readonly onClose: () => void;
}

export function Review({ run, changeset, onClose }: ReviewProps) {
  const { snapshot, failure } = useTopic(`run/${run}`);
  const page = usePage({ kind: "changes", run, changeset }, snapshot?.at ?? 0);
  const { hasMore, isReading, readMore } = page;
  // A selection is only right over all files.
  useEffect(() => {
    if (hasMore && !isReading) readMore();
  }, [hasMore, isReading, readMore]);
  const problem = page.failure ?? failure;
  return (
    <div className="review" data-region="review" tabIndex={-1}>
      {page.body !== null && snapshot !== null ? (
        <Loaded key={changeset} snapshot={snapshot} changes={page.body} isWhole={!hasMore} onClose={onClose} />
      ) : (
        <main className="review-wait">
          <BackButton title="The run" onClose={onClose} />
          {problem === null ? (
            <Skeleton lines={6} label="The change set is being read" />
          ) : (
            <Notice title="The change set could not be read" message={problem.message} code={problem.code} />
          )}
        </main>
      )}
    </div>
  );
}

interface LoadedProps {
  readonly snapshot: RunSnapshot;
  readonly changes: ChangesPage;
  /** Whether all of its files are here. */
  readonly isWhole: boolean;
  readonly onClose: () => void;
}

function Loaded({ snapshot, changes, isWhole, onClose }: LoadedProps) {
  const hunks = useHunks(changes.files.items);
  const { path, number, rejected, viewed } = hunks;
  const canDecide = canBeDecided(changes);
  useReviewKeys(hunks, canDecide);
  const file = useMemo(() => changes.files.items.find((one) => one.path === path), [changes.files.items, path]);
  const author = snapshot.subagents.find(({ id }) => id === changes.agent);
  return (
    <>
      <header className="review-top">
        <BackButton title={snapshot.title} onClose={onClose} />
        <RoleName role={author?.role ?? "lead"} />
        <h1 className="one">{author?.title ?? "The branch of the whole run"}</h1>
        <span className="faint">{changes.agent}</span>
      </header>
      <FileList files={changes.files.items} path={path} rejected={rejected} viewed={viewed} onChoose={hunks.openFile} />
      <main className="review-middle" aria-label="Diff">
        {file === undefined ? (
          <p className="inspector-empty">This change set changes no file.</p>
        ) : (
          <FileDiff
            key={file.path}
            run={snapshot.run}
            changeset={changes.changeset}
            file={file}
            focused={number}
            hunks={hunks}
            canDecide={canDecide}
          />
        )}
      </main>
      <ReviewSide changes={changes} />
      <DecideBar snapshot={snapshot} changes={changes} rejected={rejected} isWhole={isWhole} canDecide={canDecide} />
    </>
  );
}

/** While it is open, and again while its landing is held. */
function canBeDecided({ approval, status }: ChangesPage): boolean {
  return approval !== null && (status === "open" || status === "held" || status === "proposed");
}

function BackButton({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  return (
    <button type="button" className="back one" onClick={onClose}>
      <ChevronLeft size={14} aria-hidden="true" />
      <span className="one">{title}</span>
    </button>
  );
}
