// The colours of the lines that are in sight, asked of the worker a stretch at a time. A line is drawn without colours until they
// have come.

import { useCallback, useEffect, useRef, useState } from "react";

import type { HunkModel, ModelRow } from "../fileModel.ts";
import type { Coloured } from "../spans.ts";
import { colours } from "./colours.ts";
import type { LineColours } from "./colours.ts";
import { createHighlighter } from "./highlighter.ts";
import { languageOf } from "./languages.ts";

/** Lines coloured at a time. What spans the border of two stretches (a comment of hundreds of lines) may lose its colour there. */
const stretchLines = 300;
/** Longer stretches hold lines that no person wrote. */
const maxChars = 100_000;

/** A line of code within the lines around it. `name` names these, and changes when they do. */
export interface CodeLine {
  readonly name: string;
  readonly texts: readonly string[];
  readonly at: number;
}

export interface Syntax {
  /** Asks for the colours of these lines, unless they are here or on their way. */
  readonly want: (lines: readonly CodeLine[]) => void;
  readonly coloursOf: (line: CodeLine) => readonly Coloured[];
}

/** A row in its side of its hunk. A hunk that was edited has other lines than before. */
export function codeLineOf(hunk: HunkModel, { row, at, sideAt }: ModelRow): CodeLine {
  const side = row.kind === "removed" ? "old" : "new";
  const texts = hunk.sides[side];
  const name = `${hunk.number} ${side} ${at < 0 ? texts.join("\n") : ""}`;
  return { name, texts, at: sideAt };
}

const none: readonly Coloured[] = [];

export function useSyntax(path: string): Syntax {
  const language = languageOf(path);
  const [known, setKnown] = useState<ReadonlyMap<string, LineColours>>(new Map());
  const asked = useRef(new Set<string>());
  const [highlighter] = useState(createHighlighter);
  useEffect(() => {
    const askedNow = asked.current;
    return () => {
      highlighter.close();
      askedNow.clear();
    };
  }, [highlighter]);

  const want = useCallback(
    (lines: readonly CodeLine[]) => {
      if (language === null) return;
      for (const line of lines) {
        const { key, from } = stretchOf(line);
        if (asked.current.has(key)) continue;
        asked.current.add(key);
        const text = line.texts.slice(from, from + stretchLines).join("\n");
        if (text.length > maxChars) continue;
        highlighter.colour(text, language, (lines) => setKnown((before) => new Map(before).set(key, lines)));
      }
    },
    [highlighter, language],
  );
  const coloursOf = useCallback(
    (line: CodeLine) => {
      const { key, from } = stretchOf(line);
      const numbers = known.get(key)?.[line.at - from];
      return numbers === undefined ? none : readNumbers(numbers);
    },
    [known],
  );
  return { want, coloursOf };
}

/** Its length is part of the name: the lines may grow while they are read. */
function stretchOf({ name, texts, at }: CodeLine): { readonly key: string; readonly from: number } {
  const from = at - (at % stretchLines);
  return { key: `${from} ${Math.min(stretchLines, texts.length - from)} ${name}`, from };
}

const read = new WeakMap<readonly number[], readonly Coloured[]>();

/** The same numbers give the same list, so that a line is not drawn anew for them. */
function readNumbers(numbers: readonly number[]): readonly Coloured[] {
  const found = read.get(numbers) ?? stretchesOf(numbers);
  read.set(numbers, found);
  return found;
}

function stretchesOf(numbers: readonly number[]): readonly Coloured[] {
  return Array.from({ length: Math.floor(numbers.length / 3) }, (_, at) => ({
    from: numbers[at * 3] ?? 0,
    to: numbers[at * 3 + 1] ?? 0,
    colour: colours[numbers[at * 3 + 2] ?? 0] ?? "comment",
  }));
}
