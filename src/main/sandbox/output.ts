// Owns the text that a command prints: decoded as it streams, progress lines collapsed, head and tail kept.
// Memory stays flat whatever the command prints; it must never buffer the whole.

/** Sizes in UTF-16 units of decoded text; `limitBytes` counts raw bytes. */
export interface OutputLimits {
  readonly headChars: number;
  readonly tailChars: number;
  readonly limitBytes: number;
}

export const defaultOutputLimits: OutputLimits = {
  headChars: 32 * 1024,
  tailChars: 32 * 1024,
  limitBytes: 256 * 1024 * 1024,
};

interface OutputCollector {
  /** Takes the next bytes and returns them as text; bytes of a character that is not complete yet wait for the next call. */
  write(chunk: Uint8Array): string;
  /** True once more than `limitBytes` have come. */
  isOverLimit(): boolean;
  /** Raw bytes taken so far. */
  byteCount(): number;
  /** Head and tail with a note of what was left out between. Call it once, after the last `write`. */
  finish(): string;
}

/** Longer unfinished lines are committed as they are: a carriage return can no longer take them back. */
const lineLimit = 4096;

/** Collects the output of one command. Bytes that are not UTF-8 become U+FFFD; `\r` runs keep their last state. */
export function collectOutput(limits: OutputLimits = defaultOutputLimits): OutputCollector {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const kept = keepHeadAndTail(limits.headChars, limits.tailChars);
  const lines = collapseProgress(kept.append);
  let bytes = 0;
  return {
    write(chunk) {
      bytes += chunk.byteLength;
      const text = decoder.decode(chunk, { stream: true });
      lines.feed(text);
      return text;
    },
    isOverLimit: () => bytes > limits.limitBytes,
    byteCount: () => bytes,
    finish() {
      lines.feed(decoder.decode());
      lines.flush();
      return kept.join();
    },
  };
}

/** Passes text on line by line, dropping what a carriage return takes back. Holds at most one bounded line. */
function collapseProgress(commit: (text: string) => void): { feed(text: string): void; flush(): void } {
  let line = "";
  let hasCarriage = false;

  function extend(part: string): void {
    if (part === "") return;
    // Only text after the carriage return overwrites: "done\r" and "done\r\n" both stay "done".
    if (hasCarriage) line = "";
    hasCarriage = false;
    line += part;
    if (line.length > lineLimit) flush();
  }
  function flush(): void {
    if (line !== "") commit(line);
    line = "";
  }
  function endLine(): void {
    commit(`${line}\n`);
    line = "";
    hasCarriage = false;
  }
  function feed(text: string): void {
    if (!hasCarriage && !text.includes("\r")) {
      // The common case, in one step: every whole line at once. `yes` prints thirty thousand lines a chunk.
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) {
        commit(line + text.slice(0, end));
        line = "";
      }
      extend(text.slice(end));
      return;
    }
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x0a && unit !== 0x0d) continue;
      extend(text.slice(from, at));
      from = at + 1;
      if (unit === 0x0a) endLine();
      else hasCarriage = true;
    }
    extend(text.slice(from));
  }
  return { feed, flush };
}

/** Keeps the first `headChars` and the last `tailChars` of everything appended. */
function keepHeadAndTail(headChars: number, tailChars: number): { append(text: string): void; join(): string } {
  let head = "";
  let isHeadFull = false;
  let tail: string[] = [];
  let tailLength = 0;
  let dropped = 0;

  function trim(): void {
    // Joined before cutting, so that the ring never holds more than twice its size nor many tiny pieces.
    if (tailLength <= 2 * tailChars && tail.length <= 1024) return;
    const joined = tail.join("");
    const start = cutAt(joined, joined.length - tailChars);
    dropped += start;
    tail = [joined.slice(start)];
    tailLength = joined.length - start;
  }
  function append(text: string): void {
    let rest = text;
    if (!isHeadFull) {
      const taken = cutAt(rest, headChars - head.length);
      head += rest.slice(0, taken);
      rest = rest.slice(taken);
      isHeadFull = rest !== "";
    }
    if (rest === "") return;
    tail.push(rest);
    tailLength += rest.length;
    trim();
  }
  function join(): string {
    const joined = tail.join("");
    const start = cutAt(joined, joined.length - tailChars);
    const omitted = dropped + start;
    if (omitted === 0) return head + joined;
    const gap = head.endsWith("\n") ? "" : "\n";
    return `${head}${gap}[… ${omitted.toLocaleString("en-US")} characters left out …]\n${joined.slice(start)}`;
  }
  return { append, join };
}

/** The largest cut at or before `length` that does not split a surrogate pair. */
function cutAt(text: string, length: number): number {
  if (length <= 0) return 0;
  if (length >= text.length) return text.length;
  const unit = text.charCodeAt(length - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length;
}
