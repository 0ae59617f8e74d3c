// The head of a review: the way back, whose change set it is, and how its diffs are shown.

import { ChevronLeft } from "lucide-react";
import { use, useRef } from "react";
import type { RefObject } from "react";

import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Key } from "../../ui/Key.tsx";
import { KeyNames, useHeardKeys } from "../../ui/keyNames.ts";
import { RoleName } from "../../ui/RoleName.tsx";
import { HunkPips } from "./HunkPips.tsx";
import type { ReviewDraft } from "./draft.ts";
import type { HunkKey } from "./selection.ts";
import type { DiffView } from "./useView.ts";

/** More than so many say nothing any more. */
const maxHeadPips = 24;

export interface ReviewTopProps {
  readonly snapshot: RunSnapshot;
  readonly changes: ChangesPage;
  readonly draft: ReviewDraft;
  readonly rejected: ReadonlySet<HunkKey>;
  readonly view: DiffView;
  readonly onView: (change: Partial<DiffView>) => void;
  readonly onClose: () => void;
}

export function ReviewTop({ snapshot, changes, draft, rejected, view, onView, onClose }: ReviewTopProps) {
  const author = snapshot.subagents.find(({ id }) => id === changes.agent);
  const keys = useRef<HTMLDialogElement>(null);
  const split = useHeardKeys("review.split", "s");
  return (
    <header className="review-top">
      <BackButton title={snapshot.title} onClose={onClose} />
      <i className="review-sep" aria-hidden="true" />
      <RoleName role={author?.role ?? "lead"} />
      <h1 className="one">{author?.title ?? "The branch of the whole run"}</h1>
      <span className="faint">{changes.agent}</span>
      <HeadPips changes={changes} draft={draft} rejected={rejected} />
      <span className="review-view">
        <span className="seg" role="group" aria-label="Columns">
          {(["unified", "split"] as const).map((mode) => (
            <button
              key={mode}
              type="button"
              aria-pressed={view.mode === mode}
              aria-keyshortcuts={split}
              onClick={() => onView({ mode })}
            >
              {mode === "unified" ? "Unified" : "Split"}
            </button>
          ))}
        </span>
        <button
          type="button"
          className="btn"
          aria-pressed={view.hidesSpace}
          title="Show lines that differ in white space alone as if they were unchanged. What lands stays the same."
          onClick={() => onView({ hidesSpace: !view.hidesSpace })}
        >
          Hide white space
        </button>
        <button type="button" className="btn" onClick={() => keys.current?.showModal()}>
          Keys
        </button>
      </span>
      <KeysDialog ref={keys} />
    </header>
  );
}

/** All hunks of the change set, those of a file side by side; the foot says how many of each there are. */
function HeadPips({ changes, draft, rejected }: Pick<ReviewTopProps, "changes" | "draft" | "rejected">) {
  const { items, next } = changes.files;
  if (next !== null || changes.hunkCount > maxHeadPips) return null;
  return (
    <span className="review-pips" aria-hidden="true">
      {items.map((file) => (
        <HunkPips key={file.path} file={file} draft={draft} rejected={rejected} />
      ))}
    </span>
  );
}

/** Usual keys with their actions; those of the diff's cursor are always the same. */
const keyWords = [
  [
    [
      ["j", "nextHunk"],
      ["k", "previousHunk"],
    ],
    "next hunk, the one before",
  ],
  [
    [
      ["l", "nextFile"],
      ["h", "previousFile"],
    ],
    "next file, the one before",
  ],
  [
    [
      ["↓", ""],
      ["↑", ""],
    ],
    "next line, the one before, in the diff",
  ],
  [
    [
      ["a", "accept"],
      ["x", "reject"],
    ],
    "accept or reject the hunk, or the line that the cursor is on",
  ],
  [[["c", "comment"]], "comment on the line"],
  [[["e", "edit"]], "edit the hunk before it lands"],
  [[["m", "viewed"]], "the file is viewed"],
  [[["s", "split"]], "one column or two"],
] as const;

function KeysDialog({ ref }: { readonly ref: RefObject<HTMLDialogElement | null> }) {
  const nameKeys = use(KeyNames);
  const heardOf = (name: string, action: string) => nameKeys(`review.${action}`)?.shown ?? name;
  return (
    <dialog className="dialog" ref={ref} aria-label="Keys">
      <h2>Keys</h2>
      <dl className="keys-list">
        {keyWords.map(([keys, words]) => (
          <div key={words}>
            <dt>
              {keys.map(([name, action]) => (
                <Key key={name} name={name} of={`review.${action}`} />
              ))}
              <span className="heard">{keys.map(([name, action]) => heardOf(name, action)).join(" ")}</span>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-acts">
        <button type="button" className="btn large" onClick={() => ref.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

export function BackButton({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  return (
    <button type="button" className="back one" onClick={onClose}>
      <ChevronLeft size={14} aria-hidden="true" />
      <span className="one">{title}</span>
    </button>
  );
}
