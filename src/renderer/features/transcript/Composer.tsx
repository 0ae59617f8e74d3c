// The field under a transcript by which one writes to its agent. Mod+Enter sends. Where one cannot write, it says why and
// what to do instead.

import { Send } from "lucide-react";
import type { KeyboardEvent } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import { Key } from "../../ui/Key.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { isModEnter, modEnter } from "../../ui/modKey.ts";
import { MovedRepository } from "../MovedRepository.tsx";
import type { Addressee } from "./addressee.ts";
import { useDraft } from "./useDraft.ts";
import type { Outbox } from "./useOutbox.ts";

export interface ComposerProps {
  readonly run: RunId;
  readonly addressee: Addressee;
  /** Of its draft; mounted anew for each. */
  readonly name: string;
  readonly outbox: Outbox;
  readonly onSent: () => void;
  /** Goes where one can write, or decide; `null` where there is no such place. */
  readonly onInstead: (() => void) | null;
}

export function Composer({ run, addressee, name, outbox, onSent, onInstead }: ComposerProps) {
  const { text, setText, submit } = useDraft(name, outbox);
  const { isSending, failure } = outbox;
  if (addressee.kind === "closed")
    return (
      <div className="composer closed">
        <p>{addressee.sentence}</p>
        {addressee.instead !== null && onInstead !== null && (
          <button type="button" className="btn" onClick={onInstead}>
            {addressee.instead === "lead" ? "Write to the lead" : "Review…"}
          </button>
        )}
      </div>
    );
  function send(): void {
    onSent();
    submit();
  }
  function press(event: KeyboardEvent): void {
    if (!isModEnter(event)) return;
    event.preventDefault();
    send();
  }
  const { label, placeholder, hint, verb } = addressee;
  return (
    <>
      {failure !== null && (
        <div className="composer-refusal">
          <Notice title="It was not sent" message={failure.message} code={failure.code} />
          <MovedRepository run={run} failure={failure} onFound={send} />
        </div>
      )}
      <form
        className="composer"
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          aria-label={label}
          rows={1}
          maxLength={100_000}
          placeholder={placeholder}
          value={text}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        <footer>
          <span className="faint">{isSending ? "Being sent…" : hint}</span>
          <button type="submit" className="btn" disabled={isSending || text.trim() === ""}>
            <Send size={12} aria-hidden="true" /> {verb} <Key name={modEnter} />
          </button>
        </footer>
      </form>
    </>
  );
}
