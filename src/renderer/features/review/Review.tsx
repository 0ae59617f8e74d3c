// The review of one change set: its files, the diff hunk by hunk and line by line, what the system knows, and one bar to decide.
// Everything is accepted until it is rejected.

import { useEffect, useMemo } from "react";

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { usePage, useTopic } from "../../client/Client.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { DecideBar } from "./DecideBar.tsx";
import { FileDiff } from "./FileDiff.tsx";
import { FileList } from "./FileList.tsx";
import { OutcomeBar } from "./OutcomeBar.tsx";
import { ReviewSide } from "./ReviewSide.tsx";
import { BackButton, ReviewTop } from "./ReviewTop.tsx";
import { decidedDraft } from "./draft.ts";
import { conflictsOf, resolutionsToSend } from "./resolutions.ts";
import { useDraft } from "./useDraft.ts";
import { useReviewKeys } from "./useReviewKeys.ts";
import { useReviewPlace } from "./useReviewPlace.ts";
import { useView } from "./useView.ts";

export interface ReviewProps {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
  readonly onClose: () => void;
  /** To another change set of the run. */
  readonly onReview: (changeset: ChangeSetId) => void;
}

export function Review({ run, changeset, onClose, onReview }: ReviewProps) {
  const { snapshot, failure } = useTopic(`run/${run}`);
  const page = usePage({ kind: "changes", run, changeset }, snapshot?.at ?? 0);
  const { hasMore, isReading, readMore } = page;
  // A selection is only right over all files.
  useEffect(() => {
    if (hasMore && !isReading) readMore();
  }, [hasMore, isReading, readMore]);
  return (
    <div className="review" data-region="review" tabIndex={-1}>
      {page.body !== null && snapshot !== null ? (
        <Loaded
          key={`${run} ${changeset}`}
          snapshot={snapshot}
          changes={page.body}
          isWhole={!hasMore}
          onClose={onClose}
          onReview={onReview}
        />
      ) : (
        <main className="review-wait">
          <BackButton title="The run" onClose={onClose} />
          <PageState
            failure={page.failure ?? failure}
            reading="The change set is being read"
            lost="The change set could not be read"
            lines={6}
          />
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
  readonly onReview: (changeset: ChangeSetId) => void;
}

function Loaded({ snapshot, changes, isWhole, onClose, onReview }: LoadedProps) {
  const files = changes.files.items;
  const place = useReviewPlace(files);
  const [view, setView] = useView();
  const [kept, change] = useDraft(`${snapshot.run} ${changes.changeset}`);
  const canDecide = canBeDecided(changes);
  const draft = useMemo(() => (canDecide ? kept : decidedDraft(kept, changes)), [canDecide, kept, changes]);
  const rejected = useMemo(() => new Set(draft.rejected), [draft.rejected]);
  const conflicts = conflictsOf(changes, rejected);
  const { path } = place;
  const file = useMemo(() => files.find((one) => one.path === path), [files, path]);
  // Comments go back to the author; the run's whole branch has none.
  const canComment = canDecide && !changes.isLine;
  const offerKeys = useReviewKeys({ place, view, onView: setView, change, canDecide, canComment });
  const overlaps = useMemo(
    () => new Map(changes.overlaps.flatMap(({ agent, paths }) => paths.map((one) => [one, agent] as const))),
    [changes.overlaps],
  );
  return (
    <>
      <ReviewTop
        snapshot={snapshot}
        changes={changes}
        draft={draft}
        rejected={rejected}
        view={view}
        onView={setView}
        onClose={onClose}
      />
      <FileList
        files={files}
        path={path}
        draft={draft}
        rejected={rejected}
        overlaps={overlaps}
        conflicts={conflicts}
        resolved={resolutionsToSend(draft, conflicts).map(({ path }) => path)}
        onChoose={place.openFile}
      />
      <main className="review-middle" aria-label="Diff">
        {file === undefined ? (
          <p className="inspector-empty">This change set changes no file.</p>
        ) : (
          <FileDiff
            key={file.path}
            run={snapshot.run}
            changes={changes}
            file={file}
            place={place}
            view={view}
            draft={draft}
            change={change}
            canDecide={canDecide}
            canComment={canComment}
            offerKeys={offerKeys}
          />
        )}
      </main>
      <ReviewSide
        changes={changes}
        snapshot={snapshot}
        isPart={canDecide && rejected.size + draft.amendments.length > 0}
        onChoose={place.openFile}
      />
      {canDecide ? (
        <DecideBar
          snapshot={snapshot}
          changes={changes}
          draft={draft}
          change={change}
          rejected={rejected}
          isWhole={isWhole}
        />
      ) : (
        <OutcomeBar snapshot={snapshot} changes={changes} onReview={onReview} />
      )}
    </>
  );
}

/** While it is open, and again while its landing is held. */
function canBeDecided({ approval, status }: ChangesPage): boolean {
  return approval !== null && (status === "open" || status === "held" || status === "proposed");
}
