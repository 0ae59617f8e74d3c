// Text in which backticks mark code, the one mark that messages and answers share. Everything else stays as it was written, and what is
// invisible shows by its code.

import { revealedText } from "./terminalText.ts";

/** Renders `text` with what stands between two backticks as code; a backtick without a partner is shown. */
export function Ticked({ text }: { readonly text: string }) {
  const parts = revealedText(text).split(/`([^`\n]+)`/);
  // Splitting at a group yields text and code in turn; the place of a part is its identity.
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
