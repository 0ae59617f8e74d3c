// A request that could not be carried out, as lines for standard error. Never a stack, never a guess at more than was said.

import { plainText } from "./plainText.ts";
import { paint, plainStyle, type Style } from "./style.ts";

const maxLines = 20;
const stackFrame = /^\s+at .*(?::\d+\)?|\(<anonymous>\)|\(native\))$/;

/** `CODE: what failed`, then what the message lists, indented. Not wrapped: standard error is searched by line. */
export function renderProblem(
  { code, message }: { readonly code: string; readonly message: string },
  style: Style = plainStyle,
): string[] {
  const lines = plainText(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !stackFrame.test(line));
  const [first = "Nothing more is known.", ...rest] = lines;
  const name = plainText(code);
  const sentence = first.trim().replace(/^Error: /, "");
  const shown = rest.slice(0, maxLines).map((line) => `  ${line.trimEnd()}`);
  const left = rest.length - shown.length;
  return [
    `${paint(style, "red", `${name}:`)} ${sentence.startsWith(`${name}: `) ? sentence.slice(name.length + 2) : sentence}`,
    ...shown,
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
