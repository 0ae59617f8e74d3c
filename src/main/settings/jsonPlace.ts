// Finds the line on which a member of a JSON text stands, for messages to whoever wrote it by hand. Never judges the text.

/** The line (from 1) of the value at `path`, or of the nearest value around it that is there. `text` is valid JSON. */
export function locateInJson(text: string, path: readonly string[]): number {
  let at = skipBlank(text, 0);
  for (const name of path) {
    const next =
      text[at] === "{" ? findMember(text, at, name) : text[at] === "[" ? findElement(text, at, Number(name)) : null;
    if (next === null) break;
    at = next;
  }
  return text.slice(0, at).split("\n").length;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** Behind the string that begins at `from`. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Behind the value that begins at `from`. */
function skipValue(text: string, from: number): number {
  if (text[from] === '"') return skipString(text, from);
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (sign === '"') {
      at = skipString(text, at);
      continue;
    }
    if ("{[".includes(sign)) depth += 1;
    if (depth === 0 && ",}]".includes(sign)) return at;
    if ("}]".includes(sign)) depth -= 1;
    at += 1;
    if (depth === 0 && "}]".includes(sign)) return at;
  }
  return at;
}

function findMember(text: string, open: number, name: string): number | null {
  for (let at = skipBlank(text, open + 1); text[at] === '"';) {
    const end = skipString(text, at);
    const value = skipBlank(text, skipBlank(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === name) return value;
    at = skipBlank(text, skipValue(text, value));
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return null;
}

function findElement(text: string, open: number, index: number): number | null {
  let at = skipBlank(text, open + 1);
  for (let seen = 0; at < text.length && text[at] !== "]"; seen += 1) {
    if (seen === index) return at;
    at = skipBlank(text, skipValue(text, at));
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return null;
}
