// The draft of a message and its way into the journal: kept while it is written, pending while it is under way, back in
// the field when it was refused.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { AgentId, CommandId, RunId } from "../../../shared/contract/ids.ts";
import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useExecute } from "../../client/Client.tsx";
import { newCommandId } from "../../client/requests.ts";
import { keepDraft, recallDraft } from "./drafts.ts";
import { pendingOf } from "./outbox.ts";
import type { Outgoing } from "./outbox.ts";

export interface Outbox {
  readonly draft: string;
  readonly setDraft: (text: string) => void;
  /** Sends the draft, if it says anything. */
  readonly send: () => void;
  readonly isSending: boolean;
  readonly pending: readonly Outgoing[];
  readonly failure: Failure | null;
}

const none: readonly TranscriptItem[] = [];

/** `items` are the rows of this agent's transcript that have been read. Mounted anew for each run and agent. */
export function useOutbox(run: RunId, agent: AgentId, items: readonly TranscriptItem[] = none): Outbox {
  const execute = useExecute();
  const name = `${run}/${agent}`;
  const [draft, setText] = useState(() => recallDraft(localStorage, name).text);
  const [sent, setSent] = useState<readonly Outgoing[]>([]);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A draft may have been changed in another window; what is typed here counts from here on.
  const setDraft = useCallback(
    (text: string) => {
      setText(text);
      keepDraft(localStorage, name, { text, commandId: null }, Date.now());
    },
    [name],
  );
  const last = useRef(0);
  useEffect(() => void (last.current = items.at(-1)?.n ?? 0), [items]);

  const send = useCallback(() => {
    const text = draft.trim();
    if (text === "" || isSending) return;
    const kept = recallDraft(localStorage, name);
    const commandId = (kept.text === draft && kept.commandId !== null ? kept.commandId : newCommandId()) as CommandId;
    // Kept until it is taken, so that a reload on the way loses nothing.
    keepDraft(localStorage, name, { text: draft, commandId }, Date.now());
    const outgoing = { text, after: last.current };
    setText("");
    setFailure(null);
    setIsSending(true);
    setSent((before) => [...before, outgoing]);
    void execute({ type: "message", run, to: agent, text }, commandId).then((answer) => {
      setIsSending(false);
      if (answer.ok) return keepDraft(localStorage, name, { text: "", commandId: null }, Date.now());
      setSent((before) => before.filter((one) => one !== outgoing));
      setText((now) => (now === "" ? draft : now));
      setFailure(answer.error);
    });
  }, [draft, isSending, name, run, agent, execute]);

  const pending = useMemo(() => pendingOf(sent, items), [sent, items]);
  return { draft, setDraft, send, isSending, pending, failure };
}
