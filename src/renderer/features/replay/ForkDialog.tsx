// Asks before a run is forked at the moment that is shown: what the fork begins with, and, where the branch has moved on
// since, which of the two commits it begins at. The fork is paused, so nothing is spent before somebody says so.

import { useEffect, useId, useRef, useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { ForkPoint } from "../../../shared/contract/pages.ts";
import { usePage } from "../../client/Client.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { countOf, formatTime } from "../../ui/formats.ts";
import { useAct } from "../useAct.ts";

export interface ForkDialogProps {
  readonly run: RunId;
  readonly at: number;
  /** Epoch ms of that event; `null` while it is not known. */
  readonly moment: number | null;
  readonly onForked: (fork: RunId) => void;
  readonly onClose: () => void;
}

type Base = "line" | "target";

/** Most names of what is left undone that are said. */
const maxNames = 6;

export function ForkDialog({ run, at, moment, onForked, onClose }: ForkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { body, failure } = usePage({ kind: "forkPoint", run, at });
  const [base, setBase] = useState<Base>("line");
  const fork = useAct();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  async function make(): Promise<void> {
    const receipt = await fork.act({ type: "fork", run, at, ...(base === "line" ? {} : { base }) });
    if (receipt !== null) onForked(receipt.run);
  }
  const problem = failure ?? fork.failure;
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2 id={id}>
          Fork at event {at}
          {moment !== null && `, ${formatTime(moment)}`}?
        </h2>
        <p>A new run goes on from here. This one stays as it is.</p>
        {body === null && failure === null && <Skeleton lines={2} label="This moment is being looked at" />}
        {body !== null && <Point point={body} base={base} onBase={setBase} />}
        <p>It is paused at first: nothing is asked of a model before you resume it.</p>
        {problem !== null && <Notice title="It could not be forked" message={problem.message} code={problem.code} />}
        <div className="dialog-acts">
          <button type="button" className="btn large" autoFocus onClick={() => dialog.current?.close()}>
            Stay here
          </button>
          <button type="submit" className="btn main large" disabled={body === null || fork.isBusy}>
            {fork.isBusy ? "Forking…" : "Fork from here"}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface PointProps {
  readonly point: ForkPoint;
  readonly base: Base;
  readonly onBase: (base: Base) => void;
}

function Point({ point: { line, target, unfinished }, base, onBase }: PointProps) {
  const names = unfinished.slice(0, maxNames).join(", ");
  const more = unfinished.length - maxNames;
  return (
    <>
      {unfinished.length > 0 && (
        <p>
          {countOf(unfinished.length, "subagent is", "subagents are")} not done at this moment and will be shown as
          cancelled: {names}
          {more > 0 && ` and ${more} more`}.
        </p>
      )}
      {target !== null && target.aheadCount > 0 ? (
        <Choices
          label="It begins at"
          chosen={base}
          onChoose={onBase}
          options={[
            ["line", line.slice(0, 7), "where this run stood then"],
            ["target", target.tip.slice(0, 7), `${target.branch} now, ${countOf(target.aheadCount, "commit")} further`],
          ]}
        />
      ) : (
        <p>
          It begins at <code>{line.slice(0, 7)}</code>, where this run stood then.
        </p>
      )}
    </>
  );
}
