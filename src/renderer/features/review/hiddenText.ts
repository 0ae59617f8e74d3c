// Finds what a line of code would hide from its reader: characters that turn the direction of writing or take no room, and
// control characters. They are shown by name, never obeyed. Pure.

/** A stretch of a line: as it is, or one character that cannot be seen, by name. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
  /** What is shown in its place; `null` for text that is shown as it is. */
  readonly name: string | null;
  /** It may change how the rest of the line is read. */
  readonly isTreacherous: boolean;
}

/** Tab is white space. The others: C0 and C1, soft hyphen, Arabic letter mark, zero-width and directional characters, fillers, tags. */
const hidden =
  // Each of them is meant by itself, also those that combine with what is before them.
  // oxlint-disable-next-line no-misleading-character-class
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]/gu;
const directional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The whole line in order; one part where nothing is hidden. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(hidden)) {
    if (index > at) parts.push({ from: at, to: index, name: null, isTreacherous: false });
    at = index + found.length;
    parts.push({ from: index, to: at, name: nameOf(found), isTreacherous: directional.test(found) });
  }
  if (at < text.length || parts.length === 0)
    parts.push({ from: at, to: text.length, name: null, isTreacherous: false });
  return parts;
}

/** Whether the line holds anything that turns the direction of writing (Trojan Source). */
export function isTreacherous(text: string): boolean {
  return directional.test(text);
}

const controls =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US";
const controlNames = controls.split(" ");

/** `ESC` and the like for the old control characters, `U+202E` for the others. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const control = code === 0x7f ? "DEL" : controlNames[code];
  return control ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
