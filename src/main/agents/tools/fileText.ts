// Text of files in whatever encoding they have, in a form that survives an edit byte for byte. Knows no paths.

import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";

/** `8-bit`: text in some one-byte encoding that nothing in the file names. */
export type TextEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "8-bit";

/** A file's text as *units*: bytes seen as Latin-1 for the 8-bit encodings and UTF-8, code units for UTF-16. Its mark (BOM) is not part of them. Lossless both ways. */
export interface FileText {
  readonly encoding: TextEncoding;
  readonly units: string;
}

const marks: { readonly [E in TextEncoding]?: readonly number[] } = {
  "utf-8-bom": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
};
/** How far git looks for a NUL before it calls a file text. */
const binaryProbeBytes = 8000;

export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function startsWithMark(bytes: Uint8Array, encoding: TextEncoding): boolean {
  const mark = marks[encoding];
  return mark !== undefined && mark.every((byte, index) => bytes[index] === byte);
}

/** Encoding by the first bytes and, when these decide nothing, `isValidUtf8`. `null`: not text. UTF-16 is known by its mark only. */
export function detectEncoding(head: Uint8Array, isValidUtf8: () => boolean): TextEncoding | null {
  const isUtf32 = startsWithMark(head, "utf-16le") && head[2] === 0 && head[3] === 0;
  if (isUtf32) return null;
  if (startsWithMark(head, "utf-16le")) return "utf-16le";
  if (startsWithMark(head, "utf-16be")) return "utf-16be";
  if (head.subarray(0, binaryProbeBytes).includes(0)) return null;
  if (!isValidUtf8()) return "8-bit";
  return startsWithMark(head, "utf-8-bom") ? "utf-8-bom" : "utf-8";
}

/** The bytes of a file as text; `null` when they are not text. */
export function openText(bytes: Uint8Array): FileText | null {
  const encoding = detectEncoding(bytes, () => isUtf8(bytes));
  if (encoding === null) return null;
  const body = Buffer.from(bytes.subarray(marks[encoding]?.length ?? 0));
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    if (body.length % 2 !== 0) return null;
    return { encoding, units: (encoding === "utf-16le" ? body : body.swap16()).toString("utf16le") };
  }
  return { encoding, units: body.toString("latin1") };
}

/** The bytes again; `closeText(openText(bytes))` equals `bytes`. */
export function closeText(text: FileText): Buffer {
  const mark = Buffer.from(marks[text.encoding] ?? []);
  if (text.encoding === "utf-16le") return Buffer.concat([mark, Buffer.from(text.units, "utf16le")]);
  if (text.encoding === "utf-16be") return Buffer.concat([mark, Buffer.from(text.units, "utf16le").swap16()]);
  return Buffer.concat([mark, Buffer.from(text.units, "latin1")]);
}

/** A string as units of an encoding; `null` when the encoding has no form for it. */
export function toUnits(encoding: TextEncoding, text: string): string | null {
  if (encoding === "utf-8" || encoding === "utf-8-bom") return Buffer.from(text, "utf8").toString("latin1");
  if (encoding === "8-bit") return /^[\u0000-\u00ff]*$/u.test(text) ? text : null;
  return text;
}

/** Units as people read them. `8-bit` text is shown as Latin-1. */
export function showUnits(encoding: TextEncoding, units: string): string {
  return encoding === "utf-8" || encoding === "utf-8-bom" ? Buffer.from(units, "latin1").toString("utf8") : units;
}

/** What a file says of its encoding, in words. */
export function describeEncoding(encoding: TextEncoding): string {
  if (encoding === "utf-8-bom") return "utf-8 with BOM";
  if (encoding === "8-bit") return "not utf-8 (shown as latin-1; only ASCII can be added to it)";
  return encoding === "utf-8" ? encoding : `${encoding} with BOM`;
}

/** What the lines of a file end with, in words. */
export function describeEndings(crlf: number, lf: number): string {
  if (crlf > 0 && lf > 0) return `mixed line endings (${crlf} CRLF, ${lf} LF)`;
  if (crlf > 0) return "CRLF";
  return lf > 0 ? "LF" : "no line ending";
}

/** Lines as `readFile` shows them: the number right-aligned to five places, a tab, the text. */
export function numberLines(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${String(firstNumber + index).padStart(5)}\t${line}`).join("\n");
}
