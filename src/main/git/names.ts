// Checks and spellings of the names that go in and out of git: object names, refs, paths. Pure.

import type { Oid } from "../../shared/contract/ids.ts";
import { GitError } from "./git.ts";

const oidPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
// The rules of git-check-ref-format(1) that also keep a name from being read as a revision expression.
const refPattern = /^refs\/(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\x00-\x20~^:?*[\\\x7f]+(?<![/.])$/;

/** Narrows text to an object name. Throws `GIT_REFUSED` for anything but 40 or 64 lower-case hex digits. */
export function requireOid(text: string): Oid {
  if (!oidPattern.test(text)) throw new GitError("GIT_REFUSED", `Not an object name: ${JSON.stringify(text)}.`);
  return text as Oid;
}

/** Lets a full ref name below `prefix` pass, else throws `GIT_REFUSED`. */
export function requireRef(ref: string, prefix: "refs/" | "refs/heads/" | "refs/coppice/"): string {
  if (ref.startsWith(prefix) && refPattern.test(ref)) return ref;
  throw new GitError("GIT_REFUSED", `Not a ref below ${prefix} that the app may use: ${JSON.stringify(ref)}.`);
}

/** A path as people and selections name it: UTF-8, or C-quoted as git does where the bytes are not UTF-8. One name for each path. */
export function showPath(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : quotePath(bytes);
}

/** The key of a path in maps and sets. */
export const keyOf = (path: Buffer): string => path.toString("latin1");

/** The place of a path in a checkout. */
export function placeOf(workTree: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), path]);
}

/** Fields of `-z` output, without the empty one behind the last NUL. */
export function splitNul(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) fields.push(bytes.subarray(start));
  return fields;
}

function quotePath(bytes: Buffer): string {
  const quoted = Array.from(bytes, (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte);
  });
  return `"${quoted.join("")}"`;
}
