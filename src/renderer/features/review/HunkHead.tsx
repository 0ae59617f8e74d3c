// The head of a hunk: which lines, how it is decided, and the two ways to decide it.

import { Check, X } from "lucide-react";

import { Key } from "../../ui/Key.tsx";
import type { DiffLine } from "./selection.ts";

export interface HunkHeadProps {
  readonly hunk: Extract<DiffLine, { readonly kind: "hunk" }>;
  readonly isFocused: boolean;
  readonly isRejected: boolean;
  /** `null`: nothing can be decided any more. */
  readonly onDecide: ((isAccepted: boolean) => void) | null;
}

export function HunkHead({ hunk: { number, firstLine, lastLine }, isFocused, isRejected, onDecide }: HunkHeadProps) {
  return (
    <div className="hunk-head" data-focused={isFocused} data-rejected={isRejected}>
      <h3>
        <b>Hunk {number}</b>{" "}
        {firstLine > 0 && (
          <span className="faint fig">
            {firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`}
          </span>
        )}
      </h3>
      {onDecide !== null && (
        <>
          <span className={isRejected ? "hunk-word bad" : "hunk-word good"}>
            {isRejected ? <X size={12} aria-hidden="true" /> : <Check size={12} aria-hidden="true" />}
            {isRejected ? "Rejected" : "Accepted"}
          </span>
          <span className="hunk-acts">
            <button
              type="button"
              className="btn"
              aria-pressed={!isRejected}
              aria-keyshortcuts="a"
              onClick={() => onDecide(true)}
            >
              Accept<span className="heard"> hunk {number}</span> <Key name="a" />
            </button>
            <button
              type="button"
              className="btn"
              aria-pressed={isRejected}
              aria-keyshortcuts="x"
              onClick={() => onDecide(false)}
            >
              Reject<span className="heard"> hunk {number}</span> <Key name="x" />
            </button>
          </span>
        </>
      )}
    </div>
  );
}
