// The tool that edits files: all changes of a call or none. What it may touch is decided in editStage.ts, how it lands on disk in editWrite.ts.

import { z } from "zod";
import { editChange, stageEdit, type StagedFile } from "./editStage.ts";
import type { EditRefusal } from "./editText.ts";
import { verifyEdit } from "./editVerify.ts";
import { writeStaged } from "./editWrite.ts";
import { hashBytes } from "./fileText.ts";
import { answerRefusal } from "./paths.ts";
import { toolError, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

/** How often a file may change between reading and writing before the edit gives up. */
const maxAttempts = 3;

const parameters = z.strictObject({
  changes: z.array(editChange).min(1).max(100).describe("Made in order, all or none."),
});
type Input = z.infer<typeof parameters>;

function refuse({ seen, ...refusal }: EditRefusal): ToolAnswer {
  return { ...answerRefusal(refusal), ...(seen === undefined ? {} : { seen }) };
}

function seenAfter(files: readonly StagedFile[]): { readonly [path: string]: string | null } {
  return Object.fromEntries(files.map(({ path, after }) => [path, after === null ? null : hashBytes(after)]));
}

/** Carries out an edit. `write` puts the staged files on disk. */
export async function editFiles(
  input: Input,
  context: ToolContext,
  write: typeof writeStaged = writeStaged,
): Promise<ToolAnswer> {
  if (context.place.kind === "checkout")
    return toolError("READ_ONLY", "This working folder is a read-only copy; nothing in it can be edited.");
  const guards = { root: context.place.path, claim: context.claim, seen: context.seen };
  for (let attempt = 1; ; attempt += 1) {
    if (context.signal.aborted) return { outcome: "cancelled", output: "The edit was cancelled; nothing was changed." };
    const staged = await stageEdit(input.changes, guards);
    if (!staged.ok) return refuse(staged.error);
    const written = await write(staged.value.files, context.isHeld);
    if (written.ok) {
      return {
        outcome: "executed",
        output: JSON.stringify({ applied: staged.value.applied }),
        seen: seenAfter(staged.value.files),
        changedState: true,
      };
    }
    // Someone wrote in between. Staged anew, the edit goes through only if its own region is untouched.
    if (written.error.code === "DRIFTED" && attempt < maxAttempts) continue;
    if (written.error.code === "DRIFTED")
      return refuse({
        code: "STALE",
        message: `${written.error.message} Nothing was changed.`,
        hint: "Read the file again, then send the edit again.",
      });
    return {
      ...answerRefusal(written.error),
      ...(written.error.code === "WRITE_HALF_DONE" ? { changedState: true } : {}),
    };
  }
}

export const applyEdit: Tool<Input> = Object.freeze({
  name: "applyEdit",
  description: [
    "Edits files, all changes of the call or none.",
    "replace: oldText must stand exactly once in the file, copied from it without line numbers; newText is taken literally.",
    "create: the path must be free. delete and move: read the file first.",
    "Line endings, encoding and permissions are kept. Paths are relative to the root; .git, symlinks and paths outside the task are refused.",
  ].join(" "),
  effect: "write",
  class: "verifiable",
  isConcurrencySafe: false,
  parameters,
  run: (input: Input, context: ToolContext) => editFiles(input, context),
  verify: (input: Input, context: ToolContext) => verifyEdit(input.changes, context),
});
