// Bounds for texts that are shown: by bytes where a whole has to fit, by characters where a row has to stay readable.

/** At most `max` bytes as UTF-8, an ellipsis included where something was cut; never half a character. */
export function clipBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  let size = 0;
  let kept = "";
  for (const character of text) {
    // Room for the ellipsis, 3 bytes, is kept until the text is known to end within it.
    if (size + bytesOf(character) > max - 3) return byteLength(text) <= max ? text : `${kept}…`;
    size += bytesOf(character);
    kept += character;
  }
  return text;
}

/** At most `max` characters, and how many were left out. */
export function clipText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters in the journal)`;
}

/** Bytes of the text as UTF-8. */
export function byteLength(text: string): number {
  let size = 0;
  for (const character of text) size += bytesOf(character);
  return size;
}

function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
