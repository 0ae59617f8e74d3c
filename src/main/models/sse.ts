// Server-sent events, read our own way: what counts as an event decides the idle limits, and the SDK's reader hides it.
// Tolerant where servers really differ (CRLF, missing blank lines, several JSON values in one event), strict about JSON.

/** One thing a server sent. `noise` is a line that is neither SSE nor JSON, such as the first line of an HTML page. */
export type SseItem =
  | { readonly kind: "data"; readonly value: unknown }
  | { readonly kind: "error"; readonly value: unknown }
  | { readonly kind: "done" }
  | { readonly kind: "noise"; readonly line: string };

/** An event that is complete but not JSON, or a line that never ends. */
export class MalformedStream extends Error {
  override readonly name = "MalformedStream";
}

/** Characters that one unfinished line, or one event over several lines, may hold. */
const maxEventChars = 16 * 1024 * 1024;

/**
 * Reads events from raw bytes as they come. Comments (`: ping`) yield nothing. Lines end at `\n` only, so U+2028 and
 * U+0085 inside JSON are text; a UTF-8 sequence may be split over chunks. An event that the end of the stream cut off
 * is left out. Throws MalformedStream, and whatever `bytes` throws. Leaving the loop early cancels `bytes`.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SseItem, void, undefined> {
  const decoder = new TextDecoder();
  const event = createEventReader();
  let rest = "";
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    // Only what is new can hold a line end: a long line is not searched again with every chunk.
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      yield* event.readLine(rest + text.slice(start, end));
      rest = "";
      start = end + 1;
    }
    rest += text.slice(start);
    if (rest.length > maxEventChars) throw new MalformedStream("a line never ended");
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield* event.readLine(rest);
  yield* event.end();
}

interface EventReader {
  readLine(line: string): readonly SseItem[];
  end(): readonly SseItem[];
}

function createEventReader(): EventReader {
  let pending: string[] = [];
  let pendingChars = 0;
  let isError = false;

  function readData(text: string): readonly SseItem[] {
    const items = pending.length === 0 ? parseItems(text, isError) : null;
    if (items !== null) return items;
    pending.push(text);
    pendingChars += text.length;
    if (pendingChars > maxEventChars) throw new MalformedStream("an event never ended");
    return [];
  }
  function takePending(): readonly SseItem[] | null {
    const items = parseItems(pending.join("\n"), isError) ?? parseLines(pending, isError);
    pending = [];
    pendingChars = 0;
    isError = false;
    return items;
  }
  return {
    readLine(rawLine) {
      const line = rawLine.endsWith("\r") ? rawLine.slice(0, -1) : rawLine;
      if (line === "") {
        const items = takePending();
        if (items === null) throw new MalformedStream("an event is not JSON");
        return items;
      }
      // Some servers write a bare JSON line into an event stream, most often an error.
      if (line.startsWith("{")) return readData(line);
      const colon = line.indexOf(":");
      const field = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") return readData(value);
      if (field === "error") return [{ kind: "error", value: parseItems(value, true)?.map(valueOf)[0] ?? value }];
      if (field === "event") isError = value === "error";
      else if (field !== "" && field !== "id" && field !== "retry") return [{ kind: "noise", line }];
      return [];
    },
    // What the end of the stream cut off is no event and no fault of its form.
    end: () => takePending() ?? [],
  };
}

function valueOf(item: SseItem): unknown {
  return "value" in item ? item.value : undefined;
}

function parseLines(lines: readonly string[], isError: boolean): readonly SseItem[] | null {
  const items = lines.map((line) => parseItems(line, isError));
  return items.some((item) => item === null) ? null : items.flatMap((item) => item ?? []);
}

/** One data text as items: a JSON value, several of them run together, `[DONE]`; `null` when it is none of these. */
function parseItems(text: string, isError: boolean): readonly SseItem[] | null {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  const kind = isError ? "error" : "data";
  const whole = parseJson(trimmed);
  if (whole !== null) return [{ kind, value: whole.value }];
  const items: SseItem[] = [];
  for (const part of splitValues(trimmed)) {
    if (part === "[DONE]") {
      items.push({ kind: "done" });
      continue;
    }
    const parsed = parseJson(part);
    if (parsed === null) return null;
    items.push({ kind, value: parsed.value });
  }
  return items;
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Cuts `{A}{B}[DONE]` after each closing bracket of the outermost level; strings and escapes are stepped over. */
function splitValues(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) {
        parts.push(text.slice(start, at + 1).trim());
        start = at + 1;
      }
    }
  }
  const tail = text.slice(start).trim();
  return tail === "" ? parts : [...parts, tail];
}
