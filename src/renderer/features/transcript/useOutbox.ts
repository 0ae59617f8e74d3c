// Messages on their way into the journal: pending until it shows them, gone again when they were refused.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { AgentId, CommandId, RunId } from "../../../shared/contract/ids.ts";
import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useExecute } from "../../client/Client.tsx";
import { pendingOf } from "./outbox.ts";
import type { Outgoing } from "./outbox.ts";

export interface Outbox {
  /** Answers whether it was taken. */
  readonly send: (text: string, commandId: CommandId) => Promise<boolean>;
  readonly isSending: boolean;
  readonly pending: readonly Outgoing[];
  /** Why the last one was refused. */
  readonly failure: Failure | null;
}

const none: readonly TranscriptItem[] = [];

/** `items` are the rows of this agent's transcript that have been read. Mounted anew for each run and agent. */
export function useOutbox(run: RunId, agent: AgentId, items: readonly TranscriptItem[] = none): Outbox {
  const execute = useExecute();
  const [sent, setSent] = useState<readonly Outgoing[]>([]);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const last = useRef(0);
  useEffect(() => void (last.current = items.at(-1)?.n ?? 0), [items]);

  const send = useCallback(
    async (text: string, commandId: CommandId) => {
      const outgoing = { text, after: last.current };
      setFailure(null);
      setIsSending(true);
      setSent((before) => [...before, outgoing]);
      const answer = await execute({ type: "message", run, to: agent, text }, commandId);
      setIsSending(false);
      if (answer.ok) return true;
      setSent((before) => before.filter((one) => one !== outgoing));
      setFailure(answer.error);
      return false;
    },
    [run, agent, execute],
  );

  const pending = useMemo(() => pendingOf(sent, items), [sent, items]);
  return { send, isSending, pending, failure };
}
