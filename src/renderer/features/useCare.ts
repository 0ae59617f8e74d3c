// Something that is no run's and that somebody has done: said while it is under way, and what came of it after. Lies beside
// the features because the settings and the form of a new run both do such things.

import { useState } from "react";

import type { CareCommand } from "../../shared/contract/care.ts";
import { useTakeCare } from "../client/Client.tsx";

export type Said = "busy" | { readonly text: string; readonly isBad: boolean } | null;

/** Has something done and keeps what was said of it. */
export function useCare(): readonly [Said, (command: CareCommand) => Promise<void>] {
  const takeCare = useTakeCare();
  const [said, setSaid] = useState<Said>(null);
  return [
    said,
    async (command) => {
      setSaid("busy");
      const answer = await takeCare(command);
      setSaid(
        answer.ok ? { text: answer.value.said ?? "Done.", isBad: false } : { text: answer.error.message, isBad: true },
      );
    },
  ];
}
