// Says what will happen before something is sent back or rejected, with the comments that go along and room for a remark.

import { useState } from "react";
import type { FormEvent, RefObject } from "react";

import { countOf } from "../../ui/formats.ts";
import type { LineComment } from "./draft.ts";

export interface SendDialogProps {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly consequence: string;
  readonly verb: string;
  /** Comments on lines that go along; none for a rejection. */
  readonly comments: readonly LineComment[];
  /** Whether something must be said. Comments on lines say something. */
  readonly isRequired: boolean;
  readonly onSend: (remark: string) => void;
}

export function SendDialog({ ref, title, consequence, verb, comments, isRequired, onSend }: SendDialogProps) {
  const [remark, setRemark] = useState("");
  const close = () => ref.current?.close();
  const mustSay = isRequired && comments.length === 0;
  function send(event: FormEvent): void {
    event.preventDefault();
    if (mustSay && remark.trim() === "") return;
    onSend(remark.trim());
    setRemark("");
    close();
  }
  return (
    <dialog className="dialog" ref={ref} aria-label={title}>
      <form onSubmit={send}>
        <h2>{title}</h2>
        <p>{consequence}</p>
        {comments.length > 0 && (
          <>
            <p>With {countOf(comments.length, "comment")}:</p>
            <ul className="dialog-comments">
              {comments.map(({ path, side, line, text }) => (
                <li key={`${side} ${line} ${path}`}>
                  <code>
                    {path}:{line}
                  </code>{" "}
                  <span className="one">{text}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <textarea
          aria-label={mustSay ? "Comment" : "Remark"}
          placeholder={mustSay ? "What is to be changed?" : "Something about the whole, if you like"}
          rows={4}
          required={mustSay}
          value={remark}
          onChange={(event) => setRemark(event.currentTarget.value)}
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
