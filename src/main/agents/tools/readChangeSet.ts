// The tool that shows a change set: its files, its numbered hunks and its patch. Reads git objects only.

import { z } from "zod";
import { countOf } from "../../domain/hunks.ts";
import type { FileChange } from "../../domain/records.ts";
import { toolError, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

const maxBytes = 50 * 1024;
/** Of these, what the list of files may take. */
const maxListBytes = 16 * 1024;

const parameters = z.strictObject({
  subagentId: z.string().min(1).optional().describe("Whose change set. Default: the one you were given to review."),
});
type Input = z.infer<typeof parameters>;

function showRange(start: number, lines: number): string {
  return lines <= 1 ? `${start}` : `${start}-${start + lines - 1}`;
}

function showFile(file: FileChange): string {
  const name = file.from === undefined ? file.path : `${file.from} -> ${file.path}`;
  const asks = file.asks === undefined ? "" : ` [${file.asks}]`;
  const hunks = file.hunks.map(
    (hunk) =>
      `  hunk ${hunk.number}: lines ${showRange(hunk.oldStart, hunk.oldLines)} -> ${showRange(hunk.newStart, hunk.newLines)}`,
  );
  return [`${file.change} ${name} (+${file.added} -${file.removed})${asks}`, ...hunks].join("\n");
}

/** Files as far as they fit, and how many did not. */
function listFiles(files: readonly FileChange[]): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const entry = showFile(file);
    bytes += Buffer.byteLength(entry) + 1;
    if (bytes > maxListBytes) break;
    shown.push(entry);
  }
  return [
    ...shown,
    ...(shown.length < files.length ? [`(${files.length - shown.length} more files are not listed)`] : []),
  ].join("\n");
}

async function run(input: Input, context: ToolContext): Promise<ToolAnswer> {
  const found = context.findChangeSet(input.subagentId);
  if (found === null) {
    const whose =
      input.subagentId === undefined
        ? "No change set was given to this task."
        : `${input.subagentId} has no change set.`;
    return toolError("NO_CHANGE_SET", whose, "A change set exists once an executor has proposed one.");
  }
  const hunkCount = found.files.reduce((sum, file) => sum + file.hunks.length, 0);
  const head = `Change set ${found.id}: ${countOf(found.files.length, "file")}, ${countOf(hunkCount, "hunk")}, base ${found.base}, commit ${found.commit}.`;
  const list = `${head}\n${listFiles(found.files)}\n\n`;
  const patch = await context.git.patchBetween(
    context.repo,
    found.base,
    found.commit,
    maxBytes - Buffer.byteLength(list),
  );
  return { outcome: "executed", output: list + patch };
}

export const readChangeSet: Tool<Input> = Object.freeze({
  name: "readChangeSet",
  description: `Shows a proposed change set: files, numbered hunks and the patch, at most ${maxBytes / 1024} KB. For the rest of a long one, read the files.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run,
});
