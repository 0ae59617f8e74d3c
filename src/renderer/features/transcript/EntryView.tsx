// One entry of a transcript: the head of a turn, something said or noted, or a tool call with its answer.

import { memo, useState } from "react";

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { formatDuration, formatTime } from "../../ui/formats.ts";
import { Prose } from "./Prose.tsx";
import type { Card, Entry } from "./entries.ts";
import { layOut, subjectOf } from "./entries.ts";
import { plainText } from "./terminalText.ts";

export const EntryView = memo(function EntryView({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case "turn":
      return (
        <h3 className="turn-head">
          <b>Turn {entry.number}</b> <span className="fig">{formatTime(entry.at)}</span>
        </h3>
      );
    case "card":
      return <CallCard card={entry} />;
    case "passage":
      return <PassageView item={entry.item} />;
  }
});

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

function CallCard({ card: { tool, state, input, output, durationMs } }: { readonly card: Card }) {
  const [word, tone] = callStates[state] ?? [state, ""];
  // What is folded is not in the page: outputs are long and there are many.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="call" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <code className="call-tool">{tool}</code>
        <code className="call-subject one">{input === null ? "answered" : plainText(subjectOf(input))}</code>
        <span className={tone === "" ? "call-state" : `call-state ${tone}`}>{word}</span>
        {durationMs !== null && <span className="call-time fig">{formatDuration(durationMs)}</span>}
      </summary>
      {isOpen && input !== null && <Output label="Input" text={layOut(input)} />}
      {isOpen && output !== null && <Output label="Output" text={output} />}
    </details>
  );
}

function Output({ label, text }: { readonly label: string; readonly text: string }) {
  const shown = plainText(text);
  return (
    <>
      <h4 className="call-part">{label}</h4>
      <pre className="output">{shown === "" ? "(nothing)" : shown}</pre>
    </>
  );
}

function PassageView({ item }: { readonly item: TranscriptItem }) {
  const { kind, title, text, at, state } = item;
  if (kind === "text") return <Prose text={text} />;
  const isFolded = kind === "note" || kind === "system";
  if (isFolded)
    return (
      <details className="aside" data-state={state ?? ""}>
        <summary>
          {plainText(title)} {state !== undefined && <code className="faint">{state}</code>}
        </summary>
        <Prose text={text} />
      </details>
    );
  return (
    <section className="quote" data-kind={kind}>
      <h3>
        <b>{headOf(kind, title)}</b> <span className="fig">{formatTime(at)}</span>
      </h3>
      <Prose text={text} />
    </section>
  );
}

function headOf(kind: TranscriptItem["kind"], title: string): string {
  if (kind === "person") return title === "a person" ? "A person wrote" : `${plainText(title)} wrote`;
  if (kind === "result") return `Result: ${plainText(title)}`;
  return plainText(title);
}
