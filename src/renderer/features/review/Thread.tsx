// The reviewer's comment under a line: written, read, changed or taken away. It is sent with the change set, not before.

import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

import { focusDiff } from "./focusDiff.ts";

export interface ThreadProps {
  /** `null` once nothing can be sent any more. */
  readonly onChange: ((text: string) => void) | null;
  readonly where: string;
  readonly text: string;
  readonly isWriting: boolean;
  readonly onWrite: (isWriting: boolean) => void;
}

export function Thread({ where, text, isWriting, onChange, onWrite }: ThreadProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    if (!isWriting || current === null) return;
    current.focus({ preventScroll: true });
    current.setSelectionRange(current.value.length, current.value.length);
  }, [isWriting]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isDone = event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
    focusDiff(event.currentTarget);
    onWrite(false);
  }
  return (
    <div className="thread">
      <p className="thread-head">
        <i className="me" aria-hidden="true" />
        <b>You</b> <span className="faint">{where}, not sent yet</span>
      </p>
      {isWriting && onChange !== null ? (
        <textarea
          ref={field}
          aria-label={`Comment on ${where}`}
          rows={3}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <p className="thread-text">{text}</p>
      )}
      {onChange !== null && (
        <p className="thread-acts">
          <span className="faint">It goes back with the change set.</span>
          <button type="button" className="btn small" onClick={() => onWrite(!isWriting)}>
            {isWriting ? "Done" : "Change"}
          </button>
          <button
            type="button"
            className="btn small"
            onClick={(event) => {
              focusDiff(event.currentTarget);
              onChange("");
              onWrite(false);
            }}
          >
            Take away
          </button>
        </p>
      )}
    </div>
  );
}
