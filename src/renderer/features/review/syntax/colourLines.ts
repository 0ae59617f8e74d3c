// Colours of code, line by line, from a text that may begin and end anywhere in a file. Pure; for the worker alone, since it
// brings every grammar with it.

import { common, createLowlight } from "lowlight";

import { type Colour, colours, type LineColours } from "./colours.ts";

const scopes: Readonly<Record<string, Colour>> = {
  keyword: "keyword",
  literal: "keyword",
  selector: "keyword",
  meta: "keyword",
  section: "keyword",
  name: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  link: "string",
  code: "string",
  addition: "string",
  number: "number",
  symbol: "number",
  bullet: "number",
  type: "type",
  built_in: "type",
  class_: "type",
  attribute: "type",
  tag: "type",
  function_: "function",
  title: "function",
  comment: "comment",
  doctag: "comment",
  quote: "comment",
  deletion: "comment",
};

type Node = ReturnType<ReturnType<typeof createLowlight>["highlight"]>["children"][number];

const lowlight = createLowlight(common);

/** One list a line of `text`. A language that is not known, or does not fit, gives none. */
export function colourLines(text: string, language: string): LineColours {
  const lines: number[][] = text.split("\n").map(() => []);
  if (!lowlight.registered(language)) return lines;
  const pen = { lines, line: 0, column: 0 };
  for (const child of lowlight.highlight(language, text).children) draw(pen, child, null);
  return lines;
}

interface Pen {
  readonly lines: number[][];
  line: number;
  column: number;
}

function draw(pen: Pen, node: Node, colour: Colour | null): void {
  if (node.type === "text") return write(pen, node.value, colour);
  if (node.type !== "element") return;
  const own = colourOf(node.properties["className"]);
  for (const child of node.children) draw(pen, child, own ?? colour);
}

/** `hljs-title function_` says two things: the later, finer one counts. */
function colourOf(names: unknown): Colour | null {
  if (!Array.isArray(names)) return null;
  const known = names.map(
    (name) =>
      scopes[
        String(name)
          .replace(/^hljs-/, "")
          .split("-")[0] ?? ""
      ],
  );
  return known.findLast((colour) => colour !== undefined) ?? null;
}

function write(pen: Pen, text: string, colour: Colour | null): void {
  for (const [index, piece] of text.split("\n").entries()) {
    if (index > 0) [pen.line, pen.column] = [pen.line + 1, 0];
    const end = pen.column + piece.length;
    if (colour !== null && piece.trim() !== "") pen.lines[pen.line]?.push(pen.column, end, colours.indexOf(colour));
    pen.column = end;
  }
}
