// The tool that shows a file, numbered. It records the hash of the whole file, so that a later edit can tell whether it changed since.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { z } from "zod";
import { isLfsPointer } from "../../domain/lfsPointer.ts";
import { describeEncoding, describeEndings, numberLines, showUnits, type TextEncoding } from "./fileText.ts";
import { scanFile, type Reading } from "./lineScan.ts";
import { findNearNames } from "./nearNames.ts";
import { answerRefusal, requireFile, type ResolvedPath } from "./paths.ts";
import { toolError, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

const maxShownBytes = 50 * 1024;
const maxFileBytes = 64 * 1024 * 1024;

const parameters = z.strictObject({
  path: z.string().min(1).describe("File, relative to the root."),
  startLine: z.int().min(1).optional().describe("First line to show, from 1."),
  endLine: z.int().min(1).optional().describe("Last line to show."),
});
type Input = z.infer<typeof parameters>;

function showReading(path: string, reading: Reading, encoding: TextEncoding, first: number, last: number): string {
  const { scan } = reading;
  if (reading.size === 0) return `Read ${path}: the file is empty.`;
  const isBytes = encoding === "8-bit";
  const lines = scan.shown.map((line) =>
    isBytes ? showUnits("8-bit", line.toString("latin1")) : line.toString("utf8"),
  );
  const lastShown = first + lines.length - 1;
  const facts = [
    describeEncoding(encoding),
    describeEndings(scan.crlf, scan.lf),
    ...(reading.endsWithNewline ? [] : ["no newline at the end"]),
  ];
  const head = `Read ${path}: lines ${first}-${lastShown} of ${scan.lines}, ${facts.join(", ")}.`;
  const wantedLast = Math.min(last, scan.lines);
  const notes = scan.isLineCut
    ? [
        `Line ${first} is longer than ${maxShownBytes} bytes; only its start is shown. ${lastShown < wantedLast ? `Go on with startLine ${lastShown + 1}.` : ""}`.trimEnd(),
      ]
    : lastShown < wantedLast
      ? [`Cut at ${maxShownBytes} bytes: go on with startLine ${lastShown + 1}.`]
      : [];
  const pointer = isLfsPointer(`${lines.join("\n")}\n`)
    ? ["This is a pointer of Git LFS: the file's content is not in this folder, and the pointer is not to be edited."]
    : [];
  return [head, numberLines(lines, first), ...notes, ...pointer].join("\n");
}

async function readResolved(place: ResolvedPath, input: Input): Promise<ToolAnswer> {
  // No follow: the jail has resolved every symlink. No block: a pipe put there since must not hang us.
  const file = await open(
    place.absolute,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes) {
      return toolError(
        "TOO_LARGE",
        `${input.path} has ${size} bytes; files above ${maxFileBytes} are not read.`,
        "Use searchText, or a command that prints the part you need.",
      );
    }
    const first = input.startLine ?? 1;
    const last = input.endLine ?? Number.POSITIVE_INFINITY;
    const reading = await scanFile(file, { first, last, maxBytes: maxShownBytes });
    const seen = { [place.real]: reading.hash };
    if (reading.encoding === null)
      return { ...toolError("BINARY_FILE", `${input.path} is not text (${size} bytes).`), seen };
    if (first > Math.max(1, reading.scan.lines)) {
      return {
        ...toolError("OUT_OF_RANGE", `${input.path} has ${reading.scan.lines} lines; startLine is ${first}.`),
        seen,
      };
    }
    return { outcome: "executed", output: showReading(place.path, reading, reading.encoding, first, last), seen };
  } finally {
    await file.close();
  }
}

async function run(input: Input, context: ToolContext): Promise<ToolAnswer> {
  if (input.endLine !== undefined && input.endLine < (input.startLine ?? 1)) {
    return toolError("OUT_OF_RANGE", `endLine ${input.endLine} is before startLine ${input.startLine ?? 1}.`);
  }
  const place = await requireFile(context.place.path, input.path);
  if (!place.ok && place.error.code === "NOT_FOUND") {
    const near = await findNearNames(context.place.path, input.path);
    const hint = near.length === 0 ? "Use listFiles or searchText to find it." : `Did you mean ${near.join(", ")}?`;
    return answerRefusal({ ...place.error, hint });
  }
  if (!place.ok) return answerRefusal(place.error);
  try {
    return await readResolved(place.value, input);
  } catch (error) {
    return toolError(
      "PATH_UNREADABLE",
      `${input.path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export const readFile: Tool<Input> = Object.freeze({
  name: "readFile",
  description: `Shows a file with line numbers ("   12\\ttext"; number and tab are not part of the text), and says its encoding and line endings. At most ${maxShownBytes / 1024} KB at once; it then says which startLine goes on.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run,
});
