// Markdown wherever it is shown. What reads it is most of a window's script beside React, and the first paint has none to show:
// until it is there a text stands as it was written.

import { later } from "./Later.tsx";
import { plainText } from "./terminalText.ts";

export const Markdown = later(async () => (await import("./MarkdownText.tsx")).MarkdownText, AsWritten);

function AsWritten({ text }: { readonly text: string }) {
  return (
    <div className="said">
      <p className="prose">{plainText(text)}</p>
    </div>
  );
}
