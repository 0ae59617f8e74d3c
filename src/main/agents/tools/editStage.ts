// Works out what the changes of one edit would make of the files, in memory and in order. Writes nothing.

import { lstat, readFile } from "node:fs/promises";
import { z } from "zod";
import { isLfsPointer } from "../../domain/lfsPointer.ts";
import { isInsideClaim, type Claim } from "../../domain/claims.ts";
import { fail, succeed, type Result } from "../../../shared/lib/result.ts";
import { replaceOnce, showNear, type EditRefusal } from "./editText.ts";
import { closeText, hashBytes, openText } from "./fileText.ts";
import { resolveInside } from "./paths.ts";
import { countChangedLines } from "./textReplace.ts";
import type { SeenFiles } from "./tool.ts";

/** Text that UTF-8 has a form for: a lone surrogate would be written as U+FFFD. */
const text = z.string().refine((value) => !/\p{Surrogate}/u.test(value), "holds half of a surrogate pair");
const path = z.string().min(1);

/** One change as the model words it. */
export const editChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("replace"), path, oldText: text, newText: text }),
  z.strictObject({ kind: z.literal("create"), path, content: text }),
  z.strictObject({ kind: z.literal("delete"), path }),
  z.strictObject({ kind: z.literal("move"), path, to: path }),
]);
export type EditChange = z.infer<typeof editChange>;
type ChangeOf<Kind extends EditChange["kind"]> = Extract<EditChange, { readonly kind: Kind }>;

/** One file as it stands on disk and as the edit would leave it; `null` = not there. */
export interface StagedFile {
  readonly path: string;
  readonly absolute: string;
  readonly before: Buffer | null;
  /** Permission bits to keep; `null` for a new file. */
  readonly mode: number | null;
  readonly after: Buffer | null;
}

export interface AppliedChange {
  readonly path: string;
  readonly kind: EditChange["kind"];
  readonly to?: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** What an edit must respect. `seen: null` turns the checks against what the agent saw off (when recovery asks what could have been). */
export interface EditGuards {
  readonly root: string;
  readonly claim: Claim;
  readonly seen: SeenFiles | null;
}

export type Stage = Map<string, StagedFile>;
type Staged<T> = Promise<Result<T, EditRefusal>>;

const maxEditBytes = 16 * 1024 * 1024;

/** The file at `path` as staged so far, read from disk at its first mention. Codes: those of the jail, `OUTSIDE_PATHS`, `IS_A_DIRECTORY`, `TOO_LARGE`. */
export async function loadFile(stage: Stage, guards: EditGuards, path: string): Staged<StagedFile> {
  const resolved = await resolveInside(guards.root, path);
  if (!resolved.ok) return resolved;
  const { value } = resolved;
  if (value.link !== null) {
    return fail({
      code: "PATH_SYMLINK",
      message: `${path} goes through the symlink ${value.link.at} to ${value.link.target}; edits do not.`,
      hint: `Edit ${value.real} itself.`,
    });
  }
  const known = stage.get(value.path);
  if (known !== undefined) return succeed(known);
  if (value.kind === "folder")
    return fail({ code: "IS_A_DIRECTORY", message: `${path} is a folder; edits are about files.` });
  if (!isInsideClaim(value.path, guards.claim)) {
    return fail({
      code: "OUTSIDE_PATHS",
      message: `${path} is outside the paths of this task: ${guards.claim?.join(", ") ?? ""}.`,
      hint: "Say in your result what should change there.",
    });
  }
  let file: StagedFile = { path: value.path, absolute: value.absolute, before: null, mode: null, after: null };
  if (value.kind === "file") {
    const { size, mode } = await lstat(value.absolute);
    if (size > maxEditBytes)
      return fail({
        code: "TOO_LARGE",
        message: `${path} has ${size} bytes; files above ${maxEditBytes} are not edited this way.`,
      });
    const before = await readFile(value.absolute);
    file = { ...file, before, after: before, mode: mode & 0o7777 };
  }
  stage.set(value.path, file);
  return succeed(file);
}

function checkSeen(file: StagedFile, guards: EditGuards, oldText: string | null): Result<null, EditRefusal> {
  const { before } = file;
  if (guards.seen === null || before === null) return succeed(null);
  const last = guards.seen.get(file.path);
  const hash = hashBytes(before);
  if (last === hash) return succeed(null);
  if (oldText !== null && last === undefined) return succeed(null); // never read: `oldText` is the guard
  if (last === undefined)
    return fail({
      code: "READ_FIRST",
      message: `${file.path} was not read yet.`,
      hint: "Read it with readFile, then send the edit again.",
    });
  const message = `${file.path} is not as you last saw it; nothing was changed.`;
  if (oldText === null)
    return fail({ code: "STALE", message, hint: "Read it again with readFile before you delete or move it." });
  const content = openText(before);
  const shown = content === null ? "It is not text now." : `It now reads:\n${showNear(content, oldText)}`;
  return fail({
    code: "STALE",
    message: `${message} ${shown}`,
    hint: "Check that the edit still fits, then send it again.",
    seen: { [file.path]: hash },
  });
}

/** Its lines are no content: an edit of them would name a file that is not there. */
function pointerRefusal(path: string): EditRefusal {
  return {
    code: "LFS_POINTER",
    message: `${path} is a pointer of Git LFS: its content is not in this folder, and the pointer is not to be edited.`,
    hint: "Leave it as it is, or put a new file in its place: delete it, and write it with a command.",
  };
}

async function stageReplace(stage: Stage, guards: EditGuards, change: ChangeOf<"replace">): Staged<AppliedChange> {
  if (change.oldText === "")
    return fail({
      code: "EMPTY_OLD_TEXT",
      message: `oldText for ${change.path} is empty.`,
      hint: 'A new file is made with kind "create".',
    });
  if (change.oldText.includes("[redacted:")) {
    return fail({
      code: "REDACTED",
      message: `oldText for ${change.path} holds a redaction mark: the file has a secret there, which you were not shown.`,
      hint: "Choose lines round it that hold no secret.",
    });
  }
  const loaded = await loadFile(stage, guards, change.path);
  if (!loaded.ok) return loaded;
  const file = loaded.value;
  if (file.after === null)
    return fail({
      code: "NOT_FOUND",
      message: `There is no file ${change.path}.`,
      hint: 'A new file is made with kind "create".',
    });
  const seen = checkSeen(file, guards, change.oldText);
  if (!seen.ok) return seen;
  const content = openText(file.after);
  if (content === null) return fail({ code: "BINARY_FILE", message: `${change.path} is not text.` });
  if (isLfsPointer(content.units)) return fail(pointerRefusal(change.path));
  const replaced = replaceOnce(content, change.path, change.oldText, change.newText);
  if (!replaced.ok) return replaced;
  if (replaced.value.units === content.units) {
    return fail({
      code: "NO_CHANGE",
      message: `The change to ${change.path} would leave it as it is (line endings are kept as they are).`,
    });
  }
  stage.set(file.path, { ...file, after: closeText(replaced.value) });
  return succeed({ path: file.path, kind: "replace", ...countChangedLines(content.units, replaced.value.units) });
}

/** A file staged where `path` needs a folder, or a folder needed where `path` is to be a file. */
function checkWay(stage: Stage, path: string): Result<null, EditRefusal> {
  for (const other of stage.values()) {
    if (other.after === null || !(path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`))) continue;
    return fail({ code: "NOT_A_DIRECTORY", message: `${path} and ${other.path} cannot both be files.` });
  }
  return succeed(null);
}

async function stageCreate(stage: Stage, guards: EditGuards, change: ChangeOf<"create">): Staged<AppliedChange> {
  const loaded = await loadFile(stage, guards, change.path);
  if (!loaded.ok) return loaded;
  if (loaded.value.after !== null)
    return fail({
      code: "EXISTS",
      message: `${change.path} exists already.`,
      hint: 'Change it with kind "replace", or delete it first.',
    });
  const way = checkWay(stage, loaded.value.path);
  if (!way.ok) return way;
  stage.set(loaded.value.path, { ...loaded.value, after: Buffer.from(change.content, "utf8") });
  return succeed({ path: loaded.value.path, kind: "create", ...countChangedLines("", change.content) });
}

async function stageDelete(stage: Stage, guards: EditGuards, change: ChangeOf<"delete">): Staged<AppliedChange> {
  const loaded = await loadFile(stage, guards, change.path);
  if (!loaded.ok) return loaded;
  const file = loaded.value;
  if (file.after === null) return fail({ code: "NOT_FOUND", message: `There is no file ${change.path}.` });
  const seen = checkSeen(file, guards, null);
  if (!seen.ok) return seen;
  stage.set(file.path, { ...file, after: null });
  return succeed({ path: file.path, kind: "delete", ...countChangedLines(file.after.toString("latin1"), "") });
}

async function stageMove(stage: Stage, guards: EditGuards, change: ChangeOf<"move">): Staged<AppliedChange> {
  const loaded = await loadFile(stage, guards, change.path);
  if (!loaded.ok) return loaded;
  const from = loaded.value;
  if (from.after === null) return fail({ code: "NOT_FOUND", message: `There is no file ${change.path}.` });
  const seen = checkSeen(from, guards, null);
  if (!seen.ok) return seen;
  const target = await loadFile(stage, guards, change.to);
  if (!target.ok) return target;
  if (target.value.path === from.path)
    return fail({ code: "NO_CHANGE", message: `${change.path} would be moved to itself.` });
  if (target.value.after !== null)
    return fail({ code: "EXISTS", message: `${change.to} exists already; nothing is moved over it.` });
  const way = checkWay(stage, target.value.path);
  if (!way.ok) return way;
  stage.set(target.value.path, { ...target.value, after: from.after, mode: from.mode });
  stage.set(from.path, { ...from, after: null });
  return succeed({ path: from.path, kind: "move", to: target.value.path, added: 0, removed: 0 });
}

function stageChange(stage: Stage, guards: EditGuards, change: EditChange): Staged<AppliedChange> {
  switch (change.kind) {
    case "replace":
      return stageReplace(stage, guards, change);
    case "create":
      return stageCreate(stage, guards, change);
    case "delete":
      return stageDelete(stage, guards, change);
    case "move":
      return stageMove(stage, guards, change);
  }
}

/** All changes in order over one stage, or the first refusal (which names the change by its place when there are several). */
export async function stageEdit(
  changes: readonly EditChange[],
  guards: EditGuards,
): Staged<{ readonly files: readonly StagedFile[]; readonly applied: readonly AppliedChange[] }> {
  const stage: Stage = new Map();
  const applied: AppliedChange[] = [];
  for (const [index, change] of changes.entries()) {
    const staged = await stageChange(stage, guards, change);
    if (!staged.ok) {
      const where = changes.length === 1 ? "" : `Change ${index + 1} of ${changes.length}, so none was made: `;
      return fail({ ...staged.error, message: where + staged.error.message });
    }
    applied.push(staged.value);
  }
  const files = [...stage.values()].filter(({ before, after }) =>
    before === null || after === null ? before !== after : !before.equals(after),
  );
  if (files.length === 0)
    return fail({ code: "NO_CHANGE", message: "The changes together would leave every file as it is." });
  return succeed({ files, applied });
}
