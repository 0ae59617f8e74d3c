// Reads source files below a root for the symbols thread. Never follows a symlink and never opens what is no plain file.

import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How far git looks for a NUL before it calls a file text. */
const binaryProbeBytes = 8000;

export type SourceText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "large" | "unreadable" | "binary" };

/** The text of a file below `root` (absolute), whatever its encoding. `large`: over `maxBytes`. Never throws. */
export function readSource(root: string, path: string, maxBytes: number): SourceText {
  let file: number | undefined;
  try {
    // No follow, no block: the walk has seen a plain file here, and nothing else is opened.
    file = openSync(join(root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile()) return { kind: "unreadable" };
    if (stat.size > maxBytes) return { kind: "large" };
    return decode(readFileSync(file));
  } catch {
    return { kind: "unreadable" }; // gone or closed to us since the walk: the answer says so
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function decode(bytes: Buffer): SourceText {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) {
    return { kind: "text", text: new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes) };
  }
  if (bytes.subarray(0, binaryProbeBytes).includes(0)) return { kind: "binary" };
  return { kind: "text", text: isUtf8(bytes) ? new TextDecoder().decode(bytes) : bytes.toString("latin1") };
}
