// Output of programs as plain text: what would colour or move in a terminal is taken out, what would hide is shown. Pure.

/** CSI, OSC and the shorter escape sequences. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
/** Control characters other than tab and line feed, and those that turn the direction of writing. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Without escape sequences; each other invisible character as its code, `␛` and the like for the old ones. */
export function plainText(text: string): string {
  return text
    .replace(sequences, "")
    .replace(/\r\n/g, "\n")
    .replace(hidden, (character) => {
      const code = character.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
    });
}
