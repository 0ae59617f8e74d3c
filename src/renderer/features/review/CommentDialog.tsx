// Asks for a comment before something is sent back or rejected, and says what will happen.

import { useState } from "react";
import type { FormEvent, RefObject } from "react";

export interface CommentDialogProps {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly consequence: string;
  readonly verb: string;
  readonly isRequired: boolean;
  readonly onSend: (comment: string) => void;
}

export function CommentDialog({ ref, title, consequence, verb, isRequired, onSend }: CommentDialogProps) {
  const [comment, setComment] = useState("");
  const close = () => ref.current?.close();
  function send(event: FormEvent): void {
    event.preventDefault();
    if (isRequired && comment.trim() === "") return;
    onSend(comment.trim());
    setComment("");
    close();
  }
  return (
    <dialog className="dialog" ref={ref} aria-label={title}>
      <form onSubmit={send}>
        <h2>{title}</h2>
        <p>{consequence}</p>
        <textarea
          aria-label="Comment"
          rows={4}
          required={isRequired}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <div className="dialog-acts">
          <button type="button" className="btn large" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn main large">
            {verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}
