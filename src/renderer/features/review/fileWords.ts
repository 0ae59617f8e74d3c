// What happens to a file, in words: its name, its kind, its rights. Pure.

import type { AskingMark, ChangedFile, PatchPage } from "../../../shared/contract/pages.ts";

const kinds: Readonly<Record<string, string>> = {
  "100644": "file",
  "100755": "program",
  "120000": "symbolic link",
  "160000": "submodule",
};

const changeWords: Readonly<Record<ChangedFile["change"], string>> = {
  added: "new",
  modified: "",
  deleted: "deleted",
  renamed: "renamed",
  mode: "mode",
  binary: "binary",
};

/** Why a file does not land unasked: in a word, and in a sentence. */
export const askingWords: Readonly<Record<AskingMark, readonly [word: string, sentence: string]>> = {
  PROTECTED_PATH: ["protected path", "Protected path: it never lands unasked"],
  OUTSIDE_PATHS: ["outside its paths", "Outside the paths of its claim"],
  CONFLICT_MARKS: ["conflict marks left", "A conflict that it was to resolve still stands here, marked"],
};

/** Beside the name in a list; empty for a file whose lines change. */
export function changeWord({ change }: ChangedFile): string {
  return changeWords[change];
}

/** A sentence on name, kind and rights, where one of these changes or is out of the ordinary; else `null`. */
export function modeWords(
  { from, path }: Pick<ChangedFile, "from" | "path">,
  { oldMode, newMode, withoutLines }: Pick<PatchPage, "oldMode" | "newMode" | "withoutLines">,
): string | null {
  const parts: string[] = [];
  if (from !== undefined) parts.push(`Renamed from ${from} to ${path}.`);
  const kind = (mode: string) => kinds[mode] ?? `something of mode ${mode}`;
  if (oldMode !== null && newMode !== null && oldMode !== newMode)
    parts.push(
      oldMode.startsWith("100") && newMode.startsWith("100")
        ? `${newMode === "100755" ? "Becomes executable" : "Is no longer executable"} (${oldMode} to ${newMode}).`
        : `A ${kind(oldMode)} becomes a ${kind(newMode)} (${oldMode} to ${newMode}).`,
    );
  else {
    const mode = newMode ?? oldMode;
    if (mode === "120000") parts.push("A symbolic link: the line is where it points to.");
    if (mode === "160000") parts.push("A submodule: the line is the commit that it stands at.");
    if (newMode === "100755" && oldMode === null) parts.push("New, and executable.");
  }
  if (withoutLines === "empty" && oldMode === null && newMode !== null) parts.push("An empty file.");
  if (withoutLines === "empty" && newMode === null && oldMode !== null) parts.push("It was empty.");
  return parts.length === 0 ? null : parts.join(" ");
}
