// After a crash between the dispatch of an edit and its settlement: looks whether it happened. The recorded input and the files are all it needs.
//
// Two questions are asked of the files as they are: could the edit be made now (then it was not), and could it be unmade now (then it was)?

import { closeText, hashBytes, openText, toUnits } from "./fileText.ts";
import { loadFile, stageEdit, type EditChange, type EditGuards, type Stage, type StagedFile } from "./editStage.ts";
import { replaceOnce } from "./editText.ts";
import { sweepTempFiles } from "./editWrite.ts";
import { resolveInside } from "./paths.ts";
import { findMatches } from "./textReplace.ts";
import type { SeenFiles, ToolContext } from "./tool.ts";

type Verdict = "applied" | "not_applied" | "third_state";

/** Places of a text, whole: a final newline that the file lacks does not count. */
function countWhole(units: string, sought: string): number {
  return findMatches(units, sought).filter((match) => !match.dropsNewline).length;
}

/** The file before the replacement, when it looks replaced: the new text is there and no old text is, but for what the new one holds. */
function unmakeReplace(after: Buffer, path: string, oldText: string, newText: string): Buffer | null {
  const content = openText(after);
  if (content === null) return null;
  const old = toUnits(content.encoding, oldText);
  const fresh = toUnits(content.encoding, newText);
  if (old === null || old === "" || fresh === null) return null;
  const freshCount = fresh === "" ? 0 : findMatches(content.units, fresh).length;
  if (fresh !== "" && freshCount === 0) return null;
  if (countWhole(content.units, old) !== freshCount * countWhole(fresh, old)) return null;
  const unmade = freshCount === 1 ? replaceOnce(content, path, newText, oldText) : null;
  // A deletion, or a text that stands elsewhere too, cannot be put back at its place; the file then stands for its former self.
  return unmade?.ok === true ? closeText(unmade.value) : after;
}

async function unmake(stage: Stage, guards: EditGuards, change: EditChange, seen: SeenFiles): Promise<boolean> {
  const loaded = await loadFile(stage, guards, change.path);
  if (!loaded.ok) return false;
  const file = loaded.value;
  const put = (one: StagedFile, after: Buffer | null) => stage.set(one.path, { ...one, after });
  switch (change.kind) {
    case "replace": {
      const before =
        file.after === null ? null : unmakeReplace(file.after, change.path, change.oldText, change.newText);
      if (before === null) return false;
      put(file, before);
      return true;
    }
    case "create":
      if (file.after === null || !file.after.equals(Buffer.from(change.content, "utf8"))) return false;
      put(file, null);
      return true;
    case "delete":
      if (file.after !== null) return false;
      put(file, Buffer.alloc(0)); // what it held is not known; that it was there is
      return true;
    case "move": {
      const target = await loadFile(stage, guards, change.to);
      if (file.after !== null || !target.ok || target.value.after === null) return false;
      const hash = seen.get(file.path);
      const isUntouched = target.value.after === target.value.before;
      if (isUntouched && typeof hash === "string" && hash !== hashBytes(target.value.after)) return false;
      put(file, target.value.after);
      put(target.value, null);
      return true;
    }
  }
}

async function canUnmake(changes: readonly EditChange[], guards: EditGuards, seen: SeenFiles): Promise<boolean> {
  const stage: Stage = new Map();
  for (const change of changes.toReversed()) if (!(await unmake(stage, guards, change, seen))) return false;
  return true;
}

/** When both answers are yes (the new text holds the old one, and stood there before): the hash seen before the edit decides, where there is one. */
function decideByHash(files: readonly StagedFile[], seen: SeenFiles): Verdict {
  const known = files.filter(({ path, before }) => before !== null && typeof seen.get(path) === "string");
  if (known.length === 0) return "third_state";
  const unchanged = known.filter(({ path, before }) => before !== null && hashBytes(before) === seen.get(path));
  if (unchanged.length === known.length) return "not_applied";
  return unchanged.length === 0 ? "applied" : "third_state";
}

/** Whether the changes were made: all of them, none of them, or neither can be said. `context.seen` is what the agent had seen before this call. Removes temp files that the cut edit left. */
export async function verifyEdit(changes: readonly EditChange[], context: ToolContext): Promise<Verdict> {
  const paths = changes.flatMap((change) => (change.kind === "move" ? [change.path, change.to] : [change.path]));
  const resolved = await Promise.all(paths.map((path) => resolveInside(context.place.path, path)));
  await sweepTempFiles(resolved.flatMap((place) => (place.ok ? [place.value.absolute] : [])));
  const guards: EditGuards = { root: context.place.path, claim: null, seen: null };
  const forward = await stageEdit(changes, guards);
  const isUnmakeable = await canUnmake(changes, guards, context.seen);
  if (forward.ok && isUnmakeable) return decideByHash(forward.value.files, context.seen);
  if (forward.ok) return "not_applied";
  return isUnmakeable ? "applied" : "third_state";
}
