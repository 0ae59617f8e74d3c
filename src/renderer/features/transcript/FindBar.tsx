// The field of the search within a transcript: how many entries hold the words, and the way from one to the next.

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

import { countOf } from "../../ui/formats.ts";
import type { Find } from "./useFind.ts";

export interface FindBarProps {
  readonly find: Find;
  /** Not all entries have been read. */
  readonly isReading: boolean;
  /** Called after it was closed, for the focus. */
  readonly onClosed: () => void;
}

export function FindBar({ find, isReading, onClosed }: FindBarProps) {
  const { words, matches, place, setWords, step, close } = find;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  function leave(): void {
    close();
    onClosed();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  }
  const counted =
    matches.length === 0
      ? isReading
        ? "searching"
        : "nothing found"
      : `${place + 1} of ${countOf(matches.length, "entry", "entries")}${isReading ? " so far" : ""}`;
  return (
    <div className="find" role="search" aria-label="In this transcript">
      <input
        ref={field}
        aria-label="Find in this transcript"
        placeholder="Find in this transcript"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span className="find-count fig" role="status">
        {words.trim() !== "" && counted}
      </span>
      <button
        type="button"
        className="btn bare"
        aria-label="Previous match"
        title="Previous (Shift+Enter)"
        onClick={() => step(-1)}
      >
        <ChevronUp size={14} aria-hidden="true" />
      </button>
      <button type="button" className="btn bare" aria-label="Next match" title="Next (Enter)" onClick={() => step(1)}>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      <button type="button" className="btn bare" aria-label="Close the search" title="Close (Esc)" onClick={leave}>
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
