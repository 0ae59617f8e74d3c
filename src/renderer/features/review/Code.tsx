// The text of one line of code: coloured, what changed marked, what cannot be seen named.

import { memo, useMemo } from "react";

import { spansOf } from "./spans.ts";
import type { Changed, Coloured } from "./spans.ts";

export interface CodeProps {
  readonly text: string;
  readonly colours: readonly Coloured[];
  readonly changed: readonly Changed[];
  /** Characters that are not shown, behind the text. */
  readonly cut: number;
}

export const Code = memo(function Code({ text, colours, changed, cut }: CodeProps) {
  const spans = useMemo(() => spansOf(text, colours, changed), [text, colours, changed]);
  return (
    <span className="diff-code">
      {spans.map(({ text, colour, isChanged, isHidden, isTreacherous }, at) => {
        if (isHidden)
          return (
            <span key={at} className="diff-hidden" data-treacherous={isTreacherous} title={nameOf(isTreacherous)}>
              {text}
            </span>
          );
        const names = [colour === null ? "" : `sy-${colour}`, isChanged ? "diff-word" : ""].join(" ").trim();
        return names === "" ? (
          text
        ) : (
          <span key={at} className={names}>
            {text}
          </span>
        );
      })}
      {cut > 0 && <span className="diff-cut"> {cut.toLocaleString("en")} more characters</span>}
    </span>
  );
});

function nameOf(isTreacherous: boolean): string {
  return isTreacherous
    ? "A character that changes the direction of writing: the line may do something else than it seems to."
    : "A character that cannot be seen.";
}
