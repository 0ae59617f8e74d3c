// The searching part of searchText as the source text of a worker thread. A regular expression may run for ever, and only
// ending its thread stops it. It is text, given to `new Worker(source, { eval: true })`, because a file of its own would have
// to be found again from the sources, from the built bundle and from inside an Electron archive; text is found from all three.

/** Runs in a worker: plain CommonJS, Node's own modules only. Takes `{ files }` (paths relative to `workerData.root`), answers with `Found`. */
export const searchWorkerSource = String.raw`
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { openSync, fstatSync, readFileSync, closeSync, constants } = require("node:fs");
const { join } = require("node:path");
const { isUtf8 } = require("node:buffer");

const pattern = new RegExp(workerData.pattern);
let left = workerData.maxResults;

function readBytes(path) {
  let file;
  try {
    // No follow, no block: the walk has seen a plain file here, and nothing else is opened.
    file = openSync(join(workerData.root, path), constants.O_RDONLY | (constants.O_NOFOLLOW || 0) | (constants.O_NONBLOCK || 0));
    const stat = fstatSync(file);
    if (!stat.isFile()) return null;
    return stat.size > workerData.maxFileBytes ? "large" : readFileSync(file);
  } catch {
    return null; // gone or closed to us since the walk: it is counted as not searched
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function decode(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString("utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) return bytes.subarray(2).swap16().toString("utf16le");
  if (bytes.subarray(0, 8000).includes(0)) return null;
  if (!isUtf8(bytes)) return bytes.toString("latin1");
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

/** The line, or a piece of it round the match. */
function cut(line, at) {
  const max = workerData.maxLine;
  if (line.length <= max) return line;
  const from = Math.max(0, Math.min(at - (max >> 2), line.length - max));
  return (from > 0 ? "…" : "") + line.slice(from, from + max) + (from + max < line.length ? "…" : "");
}

function searchText(path, text, hits) {
  let number = 0;
  let from = 0;
  while (from < text.length) {
    let end = text.indexOf("\n", from);
    if (end === -1) end = text.length;
    number += 1;
    const line = text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end);
    const match = pattern.exec(line);
    if (match !== null) {
      if (left === 0) return true;
      left -= 1;
      hits.push({ path, line: number, text: cut(line, match.index) });
    }
    from = end + 1;
  }
  return false;
}

parentPort.on("message", ({ files }) => {
  const found = { hits: [], searched: 0, skipped: 0, isFull: false };
  for (const path of files) {
    const bytes = readBytes(path);
    if (bytes === "large" || bytes === null) {
      found.skipped += 1;
      continue;
    }
    const text = decode(bytes);
    if (text === null) continue;
    found.searched += 1;
    if (searchText(path, text, found.hits)) {
      found.isFull = true;
      break;
    }
  }
  parentPort.postMessage(found);
});
`;

export interface SearchSetup {
  readonly root: string;
  /** Source of a JavaScript regular expression, without flags. */
  readonly pattern: string;
  readonly maxResults: number;
  readonly maxFileBytes: number;
  /** Characters of a line to show. */
  readonly maxLine: number;
}

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a batch of files gave. `skipped`: too large or not readable. `isFull`: more hits exist than may be shown. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly searched: number;
  readonly skipped: number;
  readonly isFull: boolean;
}
