// The field under a transcript by which one writes to its agent. Mod+Enter sends. Where one cannot write, it says why and
// what to do instead.

import { Send } from "lucide-react";
import type { KeyboardEvent } from "react";

import type { Failure } from "../../../shared/lib/result.ts";
import { Key } from "../../ui/Key.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { isModEnter, modEnter } from "../../ui/modKey.ts";
import type { Addressee } from "./addressee.ts";

export interface ComposerProps {
  readonly addressee: Addressee;
  readonly draft: string;
  readonly isSending: boolean;
  readonly failure: Failure | null;
  readonly onDraft: (text: string) => void;
  readonly onSend: () => void;
  /** Goes where one can write, or decide; `null` where there is no such place. */
  readonly onInstead: (() => void) | null;
}

export function Composer({ addressee, draft, isSending, failure, onDraft, onSend, onInstead }: ComposerProps) {
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
  function press(event: KeyboardEvent): void {
    if (!isModEnter(event)) return;
    event.preventDefault();
    onSend();
  }
  const { label, placeholder, hint, verb } = addressee;
  return (
    <form
      className="composer"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {failure !== null && <Notice title="It was not sent" message={failure.message} code={failure.code} />}
      <textarea
        aria-label={label}
        rows={1}
        maxLength={100_000}
        placeholder={placeholder}
        value={draft}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={press}
      />
      <footer>
        <span className="faint">{isSending ? "Being sent…" : hint}</span>
        <button type="submit" className="btn" disabled={isSending || draft.trim() === ""}>
          <Send size={12} aria-hidden="true" /> {verb} <Key name={modEnter} />
        </button>
      </footer>
    </form>
  );
}
