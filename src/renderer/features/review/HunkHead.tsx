// The head of a hunk: which lines, how it is decided, and the ways to decide it. Only the hunk that is looked at is in the tab order.

import { Check, MessageSquare, Pencil, X } from "lucide-react";

import { Key } from "../../ui/Key.tsx";
import { countOf } from "../../ui/formats.ts";
import type { HunkExtent } from "./fileModel.ts";

export interface HunkHeadProps {
  readonly hunk: HunkExtent;
  readonly isFocused: boolean;
  readonly isRejected: boolean;
  /** How many of its changed lines are left out. */
  readonly leftOutCount: number;
  readonly isEdited: boolean;
  readonly target: string;
  /** Whether it is, or was, to be decided hunk by hunk. */
  readonly hasVerdict: boolean;
  /** `null`: nothing can be decided any more. */
  readonly onDecide: ((isAccepted: boolean) => void) | null;
  /** `null`: it cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onComment: (() => void) | null;
}

export function HunkHead(props: HunkHeadProps) {
  const { hunk, isFocused, isRejected, leftOutCount, isEdited, onDecide, onEdit, onComment } = props;
  const { number } = hunk;
  const tabIndex = isFocused ? 0 : -1;
  const isWhole = !isRejected && leftOutCount === 0 && !isEdited;
  return (
    <div
      className="hunk-head"
      data-focused={isFocused}
      data-rejected={isRejected}
      data-partly={!isWhole && !isRejected}
    >
      <h3>
        <b>Hunk {number}</b> <span className="faint fig">{placeWords(hunk)}</span>
      </h3>
      {hunk.within !== null && (
        <code className="hunk-within faint" title={hunk.within}>
          {hunk.within}
        </code>
      )}
      {props.hasVerdict && <Verdict {...props} />}
      {onDecide !== null && (
        <span className="hunk-acts">
          <button
            type="button"
            className="btn"
            tabIndex={tabIndex}
            aria-pressed={isWhole}
            onClick={() => onDecide(true)}
          >
            Accept<span className="heard"> hunk {number}</span> <Key name="a" of="review.accept" />
          </button>
          <button
            type="button"
            className="btn"
            tabIndex={tabIndex}
            aria-pressed={isRejected}
            onClick={() => onDecide(false)}
          >
            Reject<span className="heard"> hunk {number}</span> <Key name="x" of="review.reject" />
          </button>
          {onEdit !== null && (
            <button type="button" className="btn" tabIndex={tabIndex} title="Edit before landing (e)" onClick={onEdit}>
              <Pencil size={13} role="img" aria-label={`Edit hunk ${number}`} />
            </button>
          )}
          {onComment !== null && (
            <button type="button" className="btn" tabIndex={tabIndex} title="Comment (c)" onClick={onComment}>
              <MessageSquare size={13} role="img" aria-label={`Comment on hunk ${number}`} />
            </button>
          )}
        </span>
      )}
    </div>
  );
}

function Verdict({ hunk, isRejected, leftOutCount, isEdited, target }: HunkHeadProps) {
  if (isRejected)
    return (
      <span className="hunk-word bad">
        <X size={12} aria-hidden="true" />
        <span className="one">
          Rejected<span className="hunk-why">, {target} keeps its lines</span>
        </span>
      </span>
    );
  return (
    <span className="hunk-word good">
      <Check size={12} aria-hidden="true" />
      {isEdited
        ? "Accepted as edited by you"
        : leftOutCount > 0
          ? `Accepted without ${leftOutCount} of ${countOf(hunk.changeCount, "line")}`
          : "Accepted"}
    </span>
  );
}

function placeWords({ newLines, oldLines }: HunkExtent): string {
  const [first, last] = newLines ?? oldLines ?? [0, 0];
  if (first === 0) return "";
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}
