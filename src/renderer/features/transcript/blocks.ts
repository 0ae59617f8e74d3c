// Text of a model cut into paragraphs, lists and fenced code. It stays text: no mark-up in it means anything. Pure.

export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly text: string };

const fence = /^\s*(?:```|~~~)/;
const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const ordered = /^\s*\d/;

export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const end = fence.test(line) ? endOfCode(lines, at) : endWhile(lines, at, sameKind(line));
    blocks.push(blockOf(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

function blockOf(lines: readonly string[]): Block {
  const [first = ""] = lines;
  if (fence.test(first)) {
    const isClosed = lines.length > 1 && fence.test(lines.at(-1) ?? "");
    return { kind: "code", text: lines.slice(1, isClosed ? -1 : undefined).join("\n") };
  }
  if (!item.test(first)) return { kind: "paragraph", text: lines.join("\n") };
  const items: string[] = [];
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""));
    else items.push(`${items.pop() ?? ""}\n${line.trim()}`);
  }
  return { kind: "list", isOrdered: ordered.test(first), items };
}

/** A fence that nobody closes goes to the end. */
function endOfCode(lines: readonly string[], at: number): number {
  const close = lines.findIndex((line, index) => index > at && fence.test(line));
  return close === -1 ? lines.length : close + 1;
}

function sameKind(first: string): (line: string) => boolean {
  if (!item.test(first)) return (line) => line.trim() !== "" && !item.test(line) && !fence.test(line);
  // A line that is set in goes on with the item before it.
  return (line) =>
    (item.test(line) && ordered.test(line) === ordered.test(first)) || (/^\s/.test(line) && line.trim() !== "");
}

function endWhile(lines: readonly string[], at: number, isSame: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > at && !isSame(line));
  return end === -1 ? lines.length : end;
}
