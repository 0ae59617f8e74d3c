// The diff of one file: its head, what is to be known of it as a whole, and its lines.

import { useEffect, useRef, useState } from "react";

import type { ChangesPage, ChangedFile, PatchPage } from "../../../shared/contract/pages.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ConflictPanel } from "./ConflictPanel.tsx";
import { DiffLines } from "./DiffLines.tsx";
import { FileHead } from "./FileHead.tsx";
import { HunkHead } from "./HunkHead.tsx";
import { isRejected } from "./draft.ts";
import type { ReviewDraft } from "./draft.ts";
import { modeWords } from "./fileWords.ts";
import { useFileActs, writingKey } from "./useFileActs.ts";
import type { FileActs } from "./useFileActs.ts";
import type { ChangeDraft } from "./useDraft.ts";
import { useFileLines } from "./useFileLines.ts";
import type { OfferKeys } from "./useReviewKeys.ts";
import type { ReviewPlace } from "./useReviewPlace.ts";
import type { DiffView } from "./useView.ts";

export interface FileDiffProps {
  readonly run: RunId;
  readonly changes: ChangesPage;
  readonly file: ChangedFile;
  readonly place: ReviewPlace;
  readonly view: DiffView;
  readonly draft: ReviewDraft;
  readonly change: ChangeDraft;
  readonly canDecide: boolean;
  /** Comments go with what is sent back. */
  readonly canComment: boolean;
  readonly offerKeys: OfferKeys;
}

const whys: Readonly<Record<NonNullable<PatchPage["withoutLines"]>, string>> = {
  binary: "Binary content: it lands whole, or not at all.",
  empty: "No line changes.",
  tooLong: "The diff is too long to be shown here; read it with git.",
};

/** Changed lines above which a file is not opened unasked. */
const largeLines = 30_000;

export function FileDiff(props: FileDiffProps) {
  const { run, changes, file, place, view, draft, change, canDecide } = props;
  const { path, added, removed } = file;
  const isLarge = added + removed > largeLines;
  const [isOpened, setOpened] = useState(false);
  const model = useRef({ hunks: [] } as Parameters<typeof useFileActs>[1]["current"]);
  const acts = useFileActs({ path, place, change }, model);
  const inView = useFileLines({
    run,
    changeset: changes.changeset,
    file,
    view,
    draft,
    writing: writingKey(acts.writing),
    editing: acts.editing,
    isOpen: !isLarge || isOpened,
  });
  useEffect(() => {
    model.current = inView.model;
  }, [inView.model]);
  const { body, failure, hasMore } = inView.patch;
  const isInConflict = (changes.drift?.trial ?? changes.conflicts).includes(path) && changes.landing === null;
  return (
    <>
      <FileHead
        file={file}
        isViewed={draft.viewed.includes(path)}
        readCount={hasMore && body !== null ? body.items.length : null}
        rowCount={body?.rowCount ?? 0}
        worktree={canDecide && !changes.isLine && file.change !== "deleted" ? { run, agent: changes.agent } : null}
        change={change}
      />
      {body !== null && modeWords(file, body) !== null && <p className="file-note">{modeWords(file, body)}</p>}
      {isInConflict && (
        <ConflictPanel run={run} changes={changes} file={file} draft={draft} change={change} canDecide={canDecide} />
      )}
      {isLarge && !isOpened ? (
        <Large changedLines={added + removed} onOpen={() => setOpened(true)} />
      ) : (
        body === null && failure === null && <Skeleton lines={6} label="The diff is being read" />
      )}
      {failure !== null && <Notice title="The diff could not be read" message={failure.message} code={failure.code} />}
      {body !== null && inView.lines.length > 0 && <DiffLines {...props} acts={acts} inView={inView} body={body} />}
      {body?.withoutLines != null && (
        <>
          {/* It has one hunk all the same, which can be taken or left. */}
          <HunkHead
            hunk={{ number: 1, oldLines: null, newLines: null, changeCount: 0, within: null }}
            isFocused
            isRejected={isRejected(draft, { path, number: 1 })}
            leftOutCount={0}
            isEdited={false}
            target={changes.target}
            hasVerdict={canDecide || changes.selection !== null}
            onDecide={canDecide ? (isAccepted) => acts.decide(1, isAccepted) : null}
            onEdit={null}
            onComment={null}
          />
          <p className="inspector-empty">{whys[body.withoutLines]}</p>
          <WithoutLinesKeys offerKeys={props.offerKeys} acts={acts} />
        </>
      )}
    </>
  );
}

/** Of a file without lines the keys decide the one hunk. */
function WithoutLinesKeys({ offerKeys, acts }: Pick<FileDiffProps, "offerKeys"> & { readonly acts: FileActs }) {
  const { decide } = acts;
  useEffect(() => {
    const nothing = () => undefined;
    offerKeys({ decide: (isAccepted) => decide(1, isAccepted), comment: nothing, edit: nothing });
    return () => offerKeys(null);
  }, [offerKeys, decide]);
  return null;
}

function Large({ changedLines, onOpen }: { readonly changedLines: number; readonly onOpen: () => void }) {
  return (
    <div className="file-large">
      <p>
        Large: {changedLines.toLocaleString("en")} changed lines. Until it is opened it is accepted or rejected without
        having been seen.
      </p>
      <button type="button" className="btn" onClick={onOpen}>
        Open it anyway
      </button>
    </div>
  );
}
