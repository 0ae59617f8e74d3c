// One pass over a file in chunks: hash, encoding, line endings and a range of lines, without holding the file. Knows no paths.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { detectEncoding, openText, type TextEncoding } from "./fileText.ts";

/** Which lines to keep, from 1, and how many bytes of them. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly maxBytes: number;
}

/** Lines as bytes without their endings (UTF-16 files: as UTF-8), whole but for `isLineCut`, and what was counted over the whole file. */
interface Scan {
  readonly shown: Buffer[];
  shownBytes: number;
  lines: number;
  crlf: number;
  lf: number;
  /** Lines of the range did not fit. */
  isFull: boolean;
  /** The first line alone did not fit; its start is kept. */
  isLineCut: boolean;
}

export interface Reading {
  /** SHA-256 of all bytes. */
  readonly hash: string;
  readonly size: number;
  /** `null`: not text, or UTF-16 beyond 16 MB. */
  readonly encoding: TextEncoding | null;
  readonly scan: Readonly<Scan>;
  readonly endsWithNewline: boolean;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const chunkBytes = 256 * 1024;
/** UTF-16 is turned into UTF-8 before its lines are counted, and so is held whole. */
const maxWideBytes = 16 * 1024 * 1024;

/** Takes lines out of a stream of bytes; holds no more than `maxBytes` of one line, however long it is. */
function makeScanner({ first, last, maxBytes }: Range): {
  readonly scan: Scan;
  feed(chunk: Buffer): void;
  end(): void;
} {
  const scan: Scan = { shown: [], shownBytes: 0, lines: 0, crlf: 0, lf: 0, isFull: false, isLineCut: false };
  let line: Buffer[] = [];
  let lineBytes = 0;
  let lastByte: number | undefined;
  const isWanted = () => !scan.isFull && scan.lines + 1 >= first && scan.lines + 1 <= last;
  const keep = (part: Buffer) => {
    // One byte more than fits: a carriage return that belongs to the ending.
    if (isWanted() && lineBytes <= maxBytes) line.push(part.subarray(0, maxBytes + 1 - lineBytes));
    lineBytes += part.length;
    lastByte = part.at(-1) ?? lastByte;
  };
  const show = (length: number) => {
    if (scan.shownBytes + length > maxBytes) {
      scan.isFull = true;
      scan.isLineCut = scan.shown.length === 0;
    }
    if (!scan.isFull || scan.isLineCut) scan.shown.push(Buffer.concat(line).subarray(0, Math.min(length, maxBytes)));
    scan.shownBytes += length + 1;
  };
  const close = (endingBytes: number) => {
    if (isWanted()) show(lineBytes - endingBytes);
    scan.lines += 1;
    line = [];
    lineBytes = 0;
    lastByte = undefined;
  };
  return {
    scan,
    feed(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, at));
        const hasReturn = lastByte === carriageReturn;
        if (hasReturn) scan.crlf += 1;
        else scan.lf += 1;
        close(hasReturn ? 1 : 0);
        from = at + 1;
      }
      keep(chunk.subarray(from));
    },
    end() {
      if (lineBytes > 0) close(0);
    },
  };
}

/** Whether the bytes fed so far are UTF-8, across chunks. */
function makeUtf8Check(): { feed(chunk: Buffer): void; isValid(): boolean } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isValid = true;
  const decode = (chunk: Buffer | undefined) => {
    try {
      if (isValid) decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isValid = false; // what `fatal` is for
    }
  };
  return {
    feed: decode,
    isValid() {
      decode(undefined);
      return isValid;
    },
  };
}

/** Reads an open file once, from its start. Rejects as the file handle does. */
export async function scanFile(file: FileHandle, range: Range): Promise<Reading> {
  const hash = createHash("sha256");
  const check = makeUtf8Check();
  const scanner = makeScanner(range);
  const wide: Buffer[] = [];
  let head: Buffer | null = null;
  let guess: TextEncoding | null = null;
  let size = 0;
  let tail = 0;
  for await (const piece of file.createReadStream({ autoClose: false, start: 0, highWaterMark: chunkBytes })) {
    const chunk = Buffer.from(piece as Uint8Array);
    hash.update(chunk);
    check.feed(chunk);
    size += chunk.length;
    tail = chunk.at(-1) ?? tail;
    const isFirst = head === null;
    if (head === null) {
      head = chunk;
      guess = detectEncoding(chunk, () => true);
    }
    if (guess !== "utf-16le" && guess !== "utf-16be")
      scanner.feed(isFirst && guess === "utf-8-bom" ? chunk.subarray(3) : chunk);
    else if (size <= maxWideBytes) wide.push(chunk);
  }
  const facts = { hash: hash.digest("hex"), size, scan: scanner.scan };
  if (guess === "utf-16le" || guess === "utf-16be") {
    const text = size > maxWideBytes ? null : openText(Buffer.concat(wide));
    scanner.feed(Buffer.from(text?.units ?? "", "utf8"));
    scanner.end();
    return { ...facts, encoding: text?.encoding ?? null, endsWithNewline: text?.units.endsWith("\n") ?? false };
  }
  scanner.end();
  return {
    ...facts,
    encoding: detectEncoding(head ?? Buffer.alloc(0), () => check.isValid()),
    endsWithNewline: tail === newline,
  };
}
