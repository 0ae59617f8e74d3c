// The bar that decides a change set: how many hunks are accepted, the commit's message, and landing, sending back or rejecting.

import { MessageSquare, TriangleAlert, X } from "lucide-react";
import { useRef } from "react";

import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { countOf } from "../../ui/formats.ts";
import { useAct } from "../useAct.ts";
import type { Act } from "../useAct.ts";
import { SendDialog, type SendDialogProps } from "./SendDialog.tsx";
import { failedCount } from "./checks.ts";
import { sendBackText } from "./draft.ts";
import type { ReviewDraft } from "./draft.ts";
import { conflictsOf, resolutionsToSend } from "./resolutions.ts";
import { landWords, selectionOf } from "./selection.ts";
import type { HunkKey } from "./selection.ts";
import type { ChangeDraft } from "./useDraft.ts";

export interface DecideBarProps {
  readonly snapshot: RunSnapshot;
  readonly changes: ChangesPage;
  readonly draft: ReviewDraft;
  readonly change: ChangeDraft;
  readonly rejected: ReadonlySet<HunkKey>;
  /** Whether all files are here; before that a selection could miss some. */
  readonly isWhole: boolean;
}

export function DecideBar(props: DecideBarProps) {
  const { snapshot, changes, draft, change, rejected, isWhole } = props;
  const { approval, target, hunkCount, files, agent } = changes;
  const work = useAct();
  const { act, isBusy, failure } = work;
  const accepted = hunkCount - rejected.size;
  const conflicts = conflictsOf(changes, rejected);
  const unchosen = conflicts.length - resolutionsToSend(draft, conflicts).length;
  if (approval === null) return null;

  function land(): void {
    if (approval === null) return;
    const hunks = selectionOf(files.items, rejected, changes.status === "held");
    const resolutions = resolutionsToSend(draft, conflicts);
    const message = draft.message.trim();
    const { amendments } = draft;
    void act({
      type: "approve",
      approval,
      resumes: true,
      ...(hunks === undefined ? {} : { hunks }),
      ...(amendments.length === 0 ? {} : { amendments }),
      ...(resolutions.length === 0 ? {} : { resolutions }),
      ...(message === "" ? {} : { message }),
    });
  }
  const proposed = snapshot.subagents.find(({ id }) => id === agent)?.title ?? snapshot.title;
  return (
    <footer className="decide">
      <Tally
        accepted={accepted}
        rejectedCount={rejected.size}
        draft={draft}
        unchosenCount={unchosen}
        failedCheckCount={failedCount(changes.checks)}
      />
      <label className="message">
        Commit
        <textarea
          rows={1}
          value={draft.message}
          placeholder={proposed}
          onChange={(event) => {
            const message = event.currentTarget.value;
            change((before) => ({ ...before, message }));
          }}
        />
      </label>
      {failure !== null && (
        <span className="bad decide-failure" role="alert">
          {failure.message}
        </span>
      )}
      <span className="decide-acts">
        <Returns {...props} work={work} />
        <button type="button" className="btn main large" disabled={isBusy || accepted === 0 || !isWhole} onClick={land}>
          {landWords(accepted, hunkCount)} on <code>{target}</code>
        </button>
      </span>
    </footer>
  );
}

interface TallyProps {
  readonly accepted: number;
  readonly rejectedCount: number;
  readonly draft: ReviewDraft;
  /** Files in conflict in which not every place is chosen: a landing would be held. */
  readonly unchosenCount: number;
  /** Checks that failed when they last ran. */
  readonly failedCheckCount: number;
}

function Tally({ accepted, rejectedCount, draft, unchosenCount, failedCheckCount }: TallyProps) {
  const { amendments, comments } = draft;
  return (
    <span className="tally fig" role="status">
      <span>
        <i className="pip" data-standing="accepted" aria-hidden="true" /> <b>{accepted}</b> accepted
      </span>
      {amendments.length > 0 && (
        <span>
          <i className="pip" data-standing="partly" aria-hidden="true" /> <b>{amendments.length}</b> of them amended
        </span>
      )}
      <span>
        <i className="pip" data-standing="rejected" aria-hidden="true" /> <b>{rejectedCount}</b> rejected
      </span>
      {failedCheckCount > 0 && (
        <span className="bad">
          <X size={12} aria-hidden="true" /> <b>{failedCheckCount}</b> {failedCheckCount === 1 ? "check" : "checks"}{" "}
          failed
        </span>
      )}
      {unchosenCount > 0 && (
        <span className="bad">
          <TriangleAlert size={11} aria-hidden="true" /> <b>{unchosenCount}</b> in conflict
        </span>
      )}
      {comments.length > 0 && (
        <span>
          <MessageSquare size={11} aria-hidden="true" /> <b>{comments.length}</b>{" "}
          {comments.length === 1 ? "comment" : "comments"}
        </span>
      )}
    </span>
  );
}

/** The two ways back. The run's whole branch has no author to whom it could be sent. */
function Returns({ changes, draft, rejected, work: { act, isBusy } }: DecideBarProps & { readonly work: Act }) {
  const { approval, agent, hunkCount } = changes;
  const sendBack = useRef<HTMLDialogElement>(null);
  const reject = useRef<HTMLDialogElement>(null);
  if (approval === null) return null;
  const { comments } = draft;
  const words = comments.length === 0 ? "Send back…" : `Send back with ${countOf(comments.length, "comment")}…`;
  return (
    <>
      <button type="button" className="btn large" disabled={isBusy} onClick={() => reject.current?.showModal()}>
        Reject…
      </button>
      {!changes.isLine && (
        <button type="button" className="btn large" disabled={isBusy} onClick={() => sendBack.current?.showModal()}>
          {words}
        </button>
      )}
      <SendDialog
        ref={sendBack}
        title="Send back"
        consequence={`${agent} gets what you say, goes on in its worktree and proposes again. Nothing lands now.`}
        verb="Send back"
        comments={comments}
        isRequired
        along={targetAlong(changes, conflictsOf(changes, rejected))}
        onSend={(remark, bringsTarget) =>
          void act({
            type: "sendBack",
            approval,
            comment: sendBackText(remark, comments),
            resumes: true,
            ...(bringsTarget ? { bringsTarget } : {}),
          })
        }
      />
      <SendDialog
        ref={reject}
        title="Reject"
        consequence={
          changes.isLine
            ? `None of the ${countOf(hunkCount, "hunk")} lands. The run's branch stays as it is.`
            : agent === "lead"
              ? `None of the ${countOf(hunkCount, "hunk")} lands. The lead is told, with your comment if you leave one.`
              : `None of the ${countOf(hunkCount, "hunk")} lands, and ${agent} ends. The lead is told, with your comment if you leave one.`
        }
        verb="Reject"
        comments={[]}
        isRequired={false}
        along={null}
        onSend={(remark) =>
          void act({ type: "reject", approval, resumes: true, ...(remark === "" ? {} : { comment: remark }) })
        }
      />
    </>
  );
}

/** The target goes along where it has moved; where the two conflict it does unless the person says otherwise. */
function targetAlong({ target, drift }: ChangesPage, conflicts: readonly string[]): SendDialogProps["along"] {
  if (drift === null || drift.aheadCount === 0) return null;
  return {
    label: `Bring ${target} into its worktree`,
    note:
      conflicts.length === 0
        ? `It goes on from where ${target} stands then.`
        : "It resolves the conflict there. Your checkout stays as it is.",
    isDue: conflicts.length > 0,
    remark: conflicts.length === 0 ? null : `Resolve the conflict with ${target} in ${conflicts.join(", ")}.`,
  };
}
