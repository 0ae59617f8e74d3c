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
  /** What can be brought along, and what can be said of it where nothing else is. `null`: nothing can. */
  readonly along: Along | null;
  readonly onSend: (remark: string, isAlong: boolean) => void;
}

interface Along {
  readonly label: string;
  readonly note: string;
  /** Whether it is, unless the person says otherwise. */
  readonly isDue: boolean;
  /** What is said with it where the person says nothing; `null`: they must. */
  readonly remark: string | null;
}

export function SendDialog({ ref, title, consequence, verb, comments, isRequired, along, onSend }: SendDialogProps) {
  const [remark, setRemark] = useState("");
  const [chosen, setChosen] = useState<boolean | null>(null);
  const close = () => ref.current?.close();
  const isAlong = along !== null && (chosen ?? along.isDue);
  const usual = isAlong ? along.remark : null;
  const mustSay = isRequired && comments.length === 0 && usual === null;
  function send(event: FormEvent): void {
    event.preventDefault();
    const said = remark.trim();
    if (mustSay && said === "") return;
    onSend(said === "" && comments.length === 0 ? (usual ?? "") : said, isAlong);
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
        {along !== null && (
          <label className="toggle">
            <input type="checkbox" checked={isAlong} onChange={(event) => setChosen(event.currentTarget.checked)} />
            <span>
              {along.label} <small className="faint">{along.note}</small>
            </span>
          </label>
        )}
        <textarea
          aria-label={mustSay ? "Comment" : "Remark"}
          placeholder={mustSay ? "What is to be changed?" : (usual ?? "Something about the whole, if you like")}
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
