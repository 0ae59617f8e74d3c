// Columns and lines: how wide a text is, where it is cut, where it breaks. Works on plain text; ink comes after.
// Never splits a character that is read as one.

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const printableAscii = /^[ -~]*$/;
const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
const twoColumns =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const tab = "    ";

/** Columns that a terminal gives to `text`, which holds no control characters. */
export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** `text` in at most `width` columns, cut at its end. */
export function fit(text: string, width: number, ellipsis: string): string {
  if (textWidth(text) <= width) return text;
  return `${takeColumns(text, Math.max(0, width - textWidth(ellipsis))).trimEnd()}${ellipsis}`;
}

/** `text` followed by spaces up to `width` columns; a longer one stays as it is. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** `text` preceded by spaces up to `width` columns. */
export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text))) + text;
}

/** Lines of at most `width` columns, broken between words where there is room. Line feeds stay, an indented line goes on indented. */
export function wrap(text: string, width: number): readonly string[] {
  return text
    .replaceAll("\t", tab)
    .split("\n")
    .flatMap((line) => wrapLine(line.trimEnd(), Math.max(1, width)));
}

/** Facts side by side with `dot` between them, in lines of at most `width` columns that break between facts. Empty ones are left out. */
export function wrapFacts(facts: readonly string[], width: number, dot: string): readonly string[] {
  const lines: string[] = [];
  for (const fact of facts.filter((fact) => fact !== "")) {
    const longer = `${lines.at(-1) ?? ""} ${dot} ${fact}`;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(...wrap(fact, width));
  }
  return lines;
}

function wrapLine(line: string, width: number): readonly string[] {
  const indent = line.slice(0, line.length - line.trimStart().length).slice(0, Math.floor(width / 2));
  const room = width - indent.length;
  const lines: string[] = [];
  let current: string | null = null;
  for (const word of line
    .trimStart()
    .split(" ")
    .flatMap((word) => breakWord(word, room))) {
    const longer: string = current === null ? word : `${current} ${word}`;
    if (current !== null && textWidth(longer) > room) {
      lines.push(`${indent}${current}`.trimEnd());
      current = word;
    } else current = longer;
  }
  return [...lines, `${indent}${current ?? ""}`.trimEnd()];
}

function breakWord(word: string, width: number): readonly string[] {
  const parts: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    const part = takeColumns(rest, width) || firstGrapheme(rest);
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return rest === "" && parts.length > 0 ? parts : [...parts, rest];
}

function takeColumns(text: string, width: number): string {
  let taken = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemes.segment(text)) return segment;
  return text;
}

function graphemeWidth(segment: string): number {
  if (twoColumns.test(segment)) return 2;
  return zeroWidth.test(segment) ? 0 : 1;
}
