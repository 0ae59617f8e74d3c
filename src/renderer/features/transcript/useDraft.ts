// What is being written to an agent: kept with every letter, and back in the field when it was refused.

import { useCallback, useState } from "react";

import type { CommandId } from "../../../shared/contract/ids.ts";
import { newCommandId } from "../../client/requests.ts";
import { keepDraft, recallDraft } from "./drafts.ts";
import type { Outbox } from "./useOutbox.ts";

export interface WrittenDraft {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Sends it, if it says anything. */
  readonly submit: () => void;
}

/** `name`: whose draft it is, among all that are kept. Mounted anew for each. */
export function useDraft(name: string, { send, isSending }: Pick<Outbox, "send" | "isSending">): WrittenDraft {
  const [text, setShown] = useState(() => recallDraft(localStorage, name).text);
  // A draft may have been changed in another window; what is typed here counts from here on.
  const setText = useCallback(
    (typed: string) => {
      setShown(typed);
      keepDraft(localStorage, name, { text: typed, commandId: null }, Date.now());
    },
    [name],
  );
  const submit = useCallback(() => {
    const said = text.trim();
    if (said === "" || isSending) return;
    const kept = recallDraft(localStorage, name);
    const commandId = (kept.text === text && kept.commandId !== null ? kept.commandId : newCommandId()) as CommandId;
    // Kept until it is taken, so that a reload on the way loses nothing.
    keepDraft(localStorage, name, { text, commandId }, Date.now());
    setShown("");
    void send(said, commandId).then((isTaken) => {
      if (isTaken) keepDraft(localStorage, name, { text: "", commandId: null }, Date.now());
      else setShown((now) => (now === "" ? text : now));
    });
  }, [text, name, send, isSending]);
  return { text, setText, submit };
}
