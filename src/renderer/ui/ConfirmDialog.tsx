// Asks before something is done that cannot simply be undone: names the thing, says what it comes to, and puts the focus on
// the safe answer. Modal for as long as it is mounted.

import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen, one sentence each. */
  readonly children: ReactNode;
  readonly keep: string;
  readonly act: string;
  /** The act is lit once what it comes to is known. */
  readonly isReady?: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, children, keep, act, isReady = true, onAct, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={id} onClose={onClose}>
      <form method="dialog">
        <h2 id={id}>{title}</h2>
        {children}
        <div className="dialog-acts">
          {/* The safe one takes the focus. */}
          <button type="submit" className="btn large" autoFocus>
            {keep}
          </button>
          <button type="submit" className="btn large danger" disabled={!isReady} onClick={onAct}>
            {act}
          </button>
        </div>
      </form>
    </dialog>
  );
}
