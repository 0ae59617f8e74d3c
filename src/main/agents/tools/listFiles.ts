// The tool that lists files and folders. Reads names only.

import { z } from "zod";
import { globParameter, makeGlobTest } from "./glob.ts";
import { answerRefusal, requireFolder } from "./paths.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";
import { walkTree, type WalkEntry } from "./walk.ts";

const maxEntries = 500;
const maxVisited = 100_000;
const maxDepth = 5;
const plainDepth = 2;

const parameters = z.strictObject({
  path: z.string().min(1).optional().describe("Folder, relative to the root. Default: the root."),
  depth: z
    .int()
    .min(1)
    .max(maxDepth)
    .optional()
    .describe(`Levels of folders to enter. Default ${plainDepth}, with a glob ${maxDepth}.`),
  glob: globParameter.optional().describe("Only files that match, such as *.ts or src/**/*.test.ts."),
});
type Input = z.infer<typeof parameters>;

interface Listing {
  readonly lines: string[];
  /** Folders at the depth limit. */
  closed: number;
  /** Why the listing ends early, when it does. */
  cut: string | null;
}

async function collect(
  entries: AsyncIterable<WalkEntry>,
  input: Input,
  folder: string,
  depth: number,
  signal: AbortSignal,
): Promise<Listing> {
  const isWanted = makeGlobTest(input.glob, folder);
  const listing: Listing = { lines: [], closed: 0, cut: null };
  let visited = 0;
  for await (const entry of entries) {
    visited += 1;
    if (signal.aborted) break;
    if (entry.kind === "folder" && entry.depth === depth) listing.closed += 1;
    if (input.glob !== undefined && (entry.kind === "folder" || !isWanted(entry.path))) {
      if (visited >= maxVisited) {
        listing.cut = `Stopped after looking at ${maxVisited} entries: name a folder.`;
        break;
      }
      continue;
    }
    if (listing.lines.length === maxEntries) {
      listing.cut = `Stopped at ${maxEntries} entries: name a folder, a smaller depth or a glob.`;
      break;
    }
    listing.lines.push(
      entry.kind === "folder" ? `${entry.path}/` : entry.kind === "link" ? `${entry.path} (symlink)` : entry.path,
    );
  }
  return listing;
}

async function run(input: Input, context: ToolContext): Promise<ToolAnswer> {
  const folder = await requireFolder(context.place.path, input.path ?? ".");
  if (!folder.ok) return answerRefusal(folder.error);
  const depth = input.depth ?? (input.glob === undefined ? plainDepth : maxDepth);
  const { entries, isIgnoredFolder } = await walkTree(context.place.path, folder.value.real, depth);
  const { lines, closed, cut } = await collect(entries, input, folder.value.real, depth, context.signal);
  if (context.signal.aborted) return { outcome: "cancelled", output: "Listing was cancelled." };
  const what = input.glob === undefined ? `depth ${depth}` : `${input.glob}, depth ${depth}`;
  const notes = [
    ...(cut === null ? [] : [cut]),
    ...(closed > 0 && cut === null
      ? [
          `${closed} ${closed === 1 ? "folder" : "folders"} at the depth limit ${closed === 1 ? "was" : "were"} not entered.`,
        ]
      : []),
    ...(isIgnoredFolder ? ["This folder is ignored by git; all of it is shown."] : []),
  ];
  const head = `Listed ${folder.value.path} (${what}): ${lines.length} ${lines.length === 1 ? "entry" : "entries"}.`;
  return { outcome: "executed", output: [[head, ...notes].join(" "), ...lines].join("\n") };
}

export const listFiles: Tool<Input> = Object.freeze({
  name: "listFiles",
  description: `Lists files and folders below a folder, as git sees them: what .gitignore names and .git are left out. Folders end with "/". At most ${maxEntries} entries.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run,
});
