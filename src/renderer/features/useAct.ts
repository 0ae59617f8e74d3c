// Has commands carried out for a part of the screen, and keeps whether one is on its way and why the last one was refused.
// Lies beside the features because several of them decide.

import { useCallback, useRef, useState } from "react";

import type { CommandReceipt, WorkbenchCommand } from "../../shared/contract/commands.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useExecute } from "../client/Client.tsx";

export interface Act {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  /** Answers with the receipt, or `null` when it was refused or another one is still on its way. */
  readonly act: (command: WorkbenchCommand) => Promise<CommandReceipt | null>;
}

export function useAct(): Act {
  const execute = useExecute();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isUnderWay = useRef(false);
  const act = useCallback(
    async (command: WorkbenchCommand) => {
      if (isUnderWay.current) return null;
      isUnderWay.current = true;
      setIsBusy(true);
      setFailure(null);
      const answer = await execute(command);
      isUnderWay.current = false;
      setIsBusy(false);
      if (answer.ok) return answer.value;
      setFailure(answer.error);
      return null;
    },
    [execute],
  );
  return { isBusy, failure, act };
}
