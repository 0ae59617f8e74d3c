// Says what is wrong with a JSON file that somebody wrote by hand: the first thing, with its line and its name. Never judges
// the text itself.

import type { z } from "zod";
import { locateInJson } from "./jsonPlace.ts";

/** The first issue, with its line where the text is known, and how many more there are. Ends with a full stop. */
export function sayIssues(error: z.ZodError, text: string | null): string {
  const [first] = error.issues;
  if (first === undefined) return "something is wrong.";
  const path = pathOf(first);
  const line = text === null ? null : locateInJson(text, path);
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  const joint = first.message.startsWith("is ") ? " " : ": ";
  const where = first.path.length === 0 ? "" : `\`${first.path.map(String).join(".")}\`${joint}`;
  return `${line === null ? "" : `line ${line}: `}${where}${lowerFirst(first.message)}${more}.`;
}

/** Where the issue stands: of a name that does not belong there, the name itself. */
export function pathOf(issue: z.core.$ZodIssue): readonly string[] {
  const names = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return [...issue.path.map(String), ...names];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
