// Text of models, files and commands made safe to show: whatever a terminal would obey is taken out.
// Never lets an ESC, a C1 control or a lone carriage return through, however the text was cut into pieces.

/** OSC, DCS, SOS, PM and APC: an order with a payload (clipboard, link, title), up to its terminator on the same line. */
const stringOrders =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/g;

/** CSI: cursor moves, erasing, colours. */
const controlSequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;

/** What is left of two- and three-character escapes: character sets, resets, saved cursors. */
const shortEscapes = /\u001b[ -/]*[0-~]/g;

/** Every other control character but tab and line feed. Unfinished orders lose their first character here and stay visible. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Marks that reorder what stands beside them, so that a command reads other than it runs. */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Line ends that some terminals obey, as the one line feed. A lone carriage return would overwrite what stands before it. */
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;

/** `text` without anything that a terminal obeys; tabs and line feeds stay. Marks that reorder text are shown by code, half characters as U+FFFD. */
export function plainText(text: string): string {
  return text
    .replace(stringOrders, "")
    .replace(controlSequences, "")
    .replace(shortEscapes, "")
    .replace(lineEnds, "\n")
    .replace(controls, "")
    .replace(reordering, (mark) => `<U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`)
    .toWellFormed();
}

/** `plainText` on one line: blank ends dropped, each line end shown as `lineEnd`, runs of white space as one space. */
export function plainLine(text: string, lineEnd: string): string {
  return plainText(text)
    .trim()
    .split(/\s*\n\s*/u)
    .map((line) => line.replace(/\s+/gu, " "))
    .join(` ${lineEnd} `);
}

/** The first line that says something; empty when none does. */
export function firstLine(text: string): string {
  return (
    plainText(text)
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  );
}

/** The last line that says something: where commands put what went wrong. */
export function lastLine(text: string): string {
  return (
    plainText(text)
      .split("\n")
      .map((line) => line.trim())
      .findLast((line) => line !== "") ?? ""
  );
}
