// One entry of a transcript: the head of a turn, something said or noted, or a tool call with its answer.

import { memo } from "react";

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { formatTime } from "../../ui/formats.ts";
import { plainText } from "../../ui/terminalText.ts";
import { CallCard } from "./CallCard.tsx";
import { RowOutput } from "./RowOutput.tsx";
import type { RowPlace } from "./RowOutput.tsx";
import type { Entry, Passage } from "./entries.ts";

export interface EntryViewProps {
  readonly entry: Entry;
  readonly place: RowPlace;
  /** A person wrote it, and its agent has not had a turn since. */
  readonly isUnread: boolean;
}

export const EntryView = memo(function EntryView({ entry, place, isUnread }: EntryViewProps) {
  switch (entry.kind) {
    case "turn":
      return (
        <h3 className="turn-head">
          <b>Turn {entry.number}</b> <span className="fig">{formatTime(entry.at)}</span>
        </h3>
      );
    case "card":
      return <CallCard card={entry} place={place} />;
    case "passage":
      return <PassageView passage={entry} place={place} isUnread={isUnread} />;
  }
});

interface PassageViewProps {
  readonly passage: Passage;
  readonly place: RowPlace;
  readonly isUnread: boolean;
}

function PassageView({ passage, place, isUnread }: PassageViewProps) {
  const { item } = passage;
  const { kind, title, text, at, state } = item;
  if (kind === "text")
    return (
      <div className="speech">
        <PassageText passage={passage} place={place} />
        <CopyButton label="this text" text={() => plainText(text)} />
      </div>
    );
  if (kind === "note" || kind === "system")
    return (
      <details className="aside" data-state={state ?? ""}>
        <summary>
          {plainText(title)} {state !== undefined && <code className="faint">{plainText(state)}</code>}
        </summary>
        <PassageText passage={passage} place={place} />
      </details>
    );
  return (
    <section className="quote" data-kind={kind}>
      <h3>
        <b>{headOf(kind, title)}</b> <span className="fig">{formatTime(at)}</span>
        {kind === "person" && isUnread && <span className="unread">not read yet</span>}
        <CopyButton label="this text" text={() => plainText(text)} />
      </h3>
      {kind === "packet" ? <PacketText text={text} /> : <PassageText passage={passage} place={place} />}
    </section>
  );
}

/** What a program printed stays as it was printed; so does what is too long to be read as Markdown in one piece. */
function PassageText({ passage, place }: Omit<PassageViewProps, "isUnread">) {
  const { item, text } = passage;
  const isPrinted = item.kind === "note" && item.title.startsWith("Verification");
  if (isPrinted || text.chars !== null) return <RowOutput place={place} label="Text" row={text} />;
  return <Markdown text={item.text} />;
}

/** The objective first; what bounds it is there for whoever asks. */
function PacketText({ text }: { readonly text: string }) {
  const end = text.search(/\n\n(?:Constraints|Paths): /);
  const [objective, rest] = end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end + 2)];
  return (
    <>
      <Markdown text={objective} />
      {rest !== "" && (
        <details className="aside packet-rest">
          <summary>What it was given and what bounds it</summary>
          <Markdown text={rest} />
        </details>
      )}
    </>
  );
}

function headOf(kind: TranscriptItem["kind"], title: string): string {
  if (kind === "person") return title === "a person" ? "You wrote" : `${plainText(title)} wrote`;
  if (kind === "result") return `Result: ${plainText(title).replaceAll("_", " ")}`;
  return plainText(title);
}
