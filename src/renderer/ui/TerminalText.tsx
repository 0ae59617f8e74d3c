// What a program printed, in its colours; nothing in it can be clicked, and nothing moves the cursor.

import { memo, useMemo } from "react";

import { styledText } from "./terminalText.ts";

export const TerminalText = memo(function TerminalText({ text }: { readonly text: string }) {
  const parts = useMemo(() => styledText(text), [text]);
  if (parts.length === 0) return "(nothing)";
  return parts.map(({ text, classes }, at) =>
    // A text never changes the order of its parts: the place of one is its identity.
    classes === "" ? (
      text
    ) : (
      <span key={at} className={classes}>
        {text}
      </span>
    ),
  );
});
