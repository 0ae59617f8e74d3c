// A tool call and its answer as one card: what was called, how it went, how long it took; input and output are folded.

import { useState } from "react";

import { formatDuration } from "../../ui/formats.ts";
import { plainText } from "../../ui/terminalText.ts";
import { RowOutput } from "./RowOutput.tsx";
import type { RowPlace } from "./RowOutput.tsx";
import type { Card } from "./entries.ts";
import { layOut, subjectOf } from "./entries.ts";

/** How a call stands, in words, and whether that is bad. */
const callStates: Readonly<Record<string, readonly [word: string, tone: "" | "good" | "bad"]>> = {
  open: ["asked", ""],
  dispatched: ["under way", "good"],
  executed: ["done", ""],
  reconciled: ["done, reconciled", ""],
  failed: ["failed", "bad"],
  refused: ["refused", "bad"],
  cancelled: ["cancelled", ""],
  not_applied: ["not applied", "bad"],
  unknown: ["outcome unknown", "bad"],
};

export function CallCard({ card, place }: { readonly card: Card; readonly place: RowPlace }) {
  const { tool, input, output, durationMs } = card;
  const [word, tone] = standingOf(card);
  // What is folded is not in the page: outputs are long and there are many.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="call" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <code className="call-tool">{plainText(tool)}</code>
        <code className="call-subject one">{input === null ? "answered" : plainText(subjectOf(input.text))}</code>
        <span className={tone === "" ? "call-state" : `call-state ${tone}`}>{word}</span>
        {durationMs !== null && <span className="call-time fig">{formatDuration(durationMs)}</span>}
      </summary>
      {isOpen && input !== null && <RowOutput place={place} label="Input" row={input} layOut={layOut} />}
      {isOpen && output !== null && <RowOutput place={place} label="Output" row={output} />}
    </details>
  );
}

/** A program that ran to its end is said to have done so by its exit code: that it was run says less. */
function standingOf({ state, exitCode }: Card): readonly [word: string, tone: "" | "good" | "bad"] {
  if (state === "executed" && exitCode !== null) return [`exit ${exitCode}`, exitCode === 0 ? "good" : "bad"];
  return callStates[state] ?? [plainText(state), ""];
}
