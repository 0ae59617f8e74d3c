// The bar that decides a change set: how many hunks are accepted, the commit's message, and landing, sending back or
// rejecting. Once it is decided it says what became of it, with the commit and a way to undo.

import { useRef, useState } from "react";

import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { useAct } from "../useAct.ts";
import { CommentDialog } from "./CommentDialog.tsx";
import { landWords, selectionOf } from "./selection.ts";
import type { HunkKey } from "./selection.ts";

export interface DecideBarProps {
  readonly snapshot: RunSnapshot;
  readonly changes: ChangesPage;
  readonly rejected: ReadonlySet<HunkKey>;
  /** Whether all files are here; before that a selection could miss some. */
  readonly isWhole: boolean;
  readonly canDecide: boolean;
}

export function DecideBar({ snapshot, changes, rejected, isWhole, canDecide }: DecideBarProps) {
  return (
    <footer className="decide">
      {canDecide ? (
        <Decide snapshot={snapshot} changes={changes} rejected={rejected} isWhole={isWhole} />
      ) : (
        <Outcome snapshot={snapshot} changes={changes} />
      )}
    </footer>
  );
}

function Decide({ snapshot, changes, rejected, isWhole }: Omit<DecideBarProps, "canDecide">) {
  const { approval, target, hunkCount, files, agent } = changes;
  const { act, isBusy, failure } = useAct();
  const [message, setMessage] = useState("");
  const sendBack = useRef<HTMLDialogElement>(null);
  const reject = useRef<HTMLDialogElement>(null);
  const accepted = hunkCount - rejected.size;
  if (approval === null) return null;

  function land(): void {
    if (approval === null) return;
    const hunks = selectionOf(files.items, rejected);
    const text = message.trim();
    void act({
      type: "approve",
      approval,
      resumes: true,
      ...(hunks === undefined ? {} : { hunks }),
      ...(text === "" ? {} : { message: text }),
    });
  }
  return (
    <>
      <span className="tally fig">
        <span>
          <i className="pip" aria-hidden="true" /> <b>{accepted}</b> accepted
        </span>
        <span>
          <i className="pip" data-rejected="true" aria-hidden="true" /> <b>{rejected.size}</b> rejected
        </span>
      </span>
      <label className="message">
        Commit
        <input
          value={message}
          placeholder={snapshot.subagents.find(({ id }) => id === agent)?.title ?? snapshot.title}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      {failure !== null && (
        <span className="bad decide-failure" role="alert">
          {failure.message}
        </span>
      )}
      <span className="decide-acts">
        <button type="button" className="btn large" disabled={isBusy} onClick={() => reject.current?.showModal()}>
          Reject…
        </button>
        <button type="button" className="btn large" disabled={isBusy} onClick={() => sendBack.current?.showModal()}>
          Send back…
        </button>
        <button type="button" className="btn main large" disabled={isBusy || accepted === 0 || !isWhole} onClick={land}>
          {landWords(accepted, hunkCount)} on <code>{target}</code>
        </button>
      </span>
      <CommentDialog
        ref={sendBack}
        title="Send back"
        consequence={`${agent} gets your comment, goes on in its worktree and proposes again. Nothing lands now.`}
        verb="Send back"
        isRequired
        onSend={(comment) => void act({ type: "sendBack", approval, comment, resumes: true })}
      />
      <CommentDialog
        ref={reject}
        title="Reject"
        consequence={`None of the ${hunkCount} hunks lands, and ${agent} ends. The lead is told, with your comment if you leave one.`}
        verb="Reject"
        isRequired={false}
        onSend={(comment) =>
          void act({ type: "reject", approval, resumes: true, ...(comment === "" ? {} : { comment }) })
        }
      />
    </>
  );
}

const outcomes: Readonly<Record<string, readonly [Shape, string]>> = {
  proposed: ["waiting", "Its checks are still running"],
  approved: ["landing", "Landing"],
  landing: ["landing", "Landing"],
  landed: ["landed", "Landed, and taken back since"],
  rejected: ["rejected", "Rejected"],
  sent_back: ["recovered", "Sent back"],
  replaced: ["recovered", "Replaced by a later one"],
  withdrawn: ["stopped", "Withdrawn"],
};

function Outcome({ snapshot, changes }: Pick<DecideBarProps, "snapshot" | "changes">) {
  const { act, isBusy, failure } = useAct();
  const landing = snapshot.landed.find(({ changeset }) => changeset === changes.changeset);
  const [shape, word] = outcomes[changes.status] ?? (["stopped", changes.status] as const);
  if (landing === undefined)
    return (
      <span role="status">
        <Mark shape={shape} word={word} />
      </span>
    );
  return (
    <>
      <span role="status" className="landing-line">
        <Mark shape="landed" word="Landed" /> <code>{landing.commit.slice(0, 7)}</code> on <code>{landing.target}</code>
      </span>
      {failure !== null && (
        <span className="bad decide-failure" role="alert">
          {failure.message}
        </span>
      )}
      <span className="decide-acts">
        <button
          type="button"
          className="btn large"
          disabled={isBusy}
          onClick={() => void act({ type: "undo", landing: landing.landing })}
        >
          Undo
        </button>
      </span>
    </>
  );
}
