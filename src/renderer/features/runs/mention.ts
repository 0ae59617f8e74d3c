// `@file` in a task: which one is being typed, and what becomes of the text when one is chosen. Pure.

export interface Mention {
  /** Where its `@` stands. */
  readonly from: number;
  /** What follows the `@`, up to the caret. */
  readonly typed: string;
}

/** The mention in which the caret stands; `null` for none. An `@` inside a word, as in a mail address, begins none. */
export function mentionAt(text: string, caret: number): Mention | null {
  const found = /(?:^|[\s(["'])@([^\s@]*)$/.exec(text.slice(0, caret));
  if (found === null) return null;
  const typed = found[1] ?? "";
  return { from: caret - typed.length - 1, typed };
}

/** The text with the mention completed, and where the caret is then. A folder can be gone on with; behind a file comes a blank. */
export function complete(
  text: string,
  { from, typed }: Mention,
  path: string,
): { readonly text: string; readonly caret: number } {
  const end = from + 1 + typed.length;
  const rest = text.slice(end);
  const gap = path.endsWith("/") || /^\s/.test(rest) ? "" : " ";
  return { text: `${text.slice(0, from)}@${path}${gap}${rest}`, caret: from + 1 + path.length + gap.length };
}

/** Paths that the task mentions, each once. */
export function mentionsIn(text: string): readonly string[] {
  const found = [...text.matchAll(/(?:^|[\s(["'])@([^\s@]+)/g)].map(([, path]) =>
    (path ?? "").replace(/[.,;:!?)\]"']+$/, ""),
  );
  return [...new Set(found.filter((path) => path !== ""))];
}
