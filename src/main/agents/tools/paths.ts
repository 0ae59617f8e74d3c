// The jail: turns a path that a model wrote into a place below the root of its node, or into a refusal that says why.
// Never follows a symlink out of the root and never lets anything into `.git`.

import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fail, succeed, type Result } from "../../../shared/lib/result.ts";
import { toolError, type ToolAnswer } from "./tool.ts";

/** Why a tool will not do it: what, where, and what to do instead. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A place inside the root. `path` is the model's own, normalised (`.` is the root); `real` is where symlinks lead, relative to the root; `absolute` is the same on disk. */
export interface ResolvedPath {
  readonly path: string;
  readonly real: string;
  readonly absolute: string;
  readonly kind: "file" | "folder" | "missing";
  /** The first symlink on the way, when there is one. It stays inside the root. */
  readonly link: { readonly at: string; readonly target: string } | null;
}

/** A refusal in the form in which the model reads it. */
export function answerRefusal(refusal: Refusal): ToolAnswer {
  return toolError(refusal.code, refusal.message, refusal.hint);
}

/** The system's error code (`ENOENT`, …) of a caught value; `null` when it has none. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Whether `path` is `folder` or below it. Both absolute and real: comparing a real path with a spelled one refuses everything on systems whose temp folder is a symlink. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const invisibleOnHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Whether a file system may take this component for `.git`: letter case, characters that HFS+ drops, NTFS short names, streams and trailing dots, as git's own `core.protectHFS` and `core.protectNTFS` see it. */
export function isGitName(component: string): boolean {
  const folded = component.replace(invisibleOnHfs, "").toLowerCase();
  return /^(?:\.git|git~1)[. ]*(?::.*)?$/u.test(folded);
}

/** Whether Windows opens a device under this name, whatever its extension. */
export function isDeviceNameOnWindows(component: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:].*)?$/iu.test(component);
}

const gitRefusal = (path: string): Refusal => ({
  code: "PATH_GIT",
  message: `${path} is inside .git, which tools never open.`,
  hint: "Use git commands for what git keeps there.",
});

/** The components of a relative path that stays inside, by spelling alone. */
function readSpelling(path: string): Result<readonly string[], Refusal> {
  if (path.includes("\0")) return fail({ code: "PATH_INVALID", message: "The path holds a NUL character." });
  const spelled = process.platform === "win32" ? path.replaceAll("\\", "/") : path;
  if (spelled.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(spelled)) {
    return fail({
      code: "PATH_ABSOLUTE",
      message: `${path} is absolute.`,
      hint: "Give a path relative to the root of the working folder.",
    });
  }
  const names = posix
    .normalize(spelled)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  if (names[0] === "..") {
    return fail({
      code: "PATH_OUTSIDE",
      message: `${path} leaves the working folder.`,
      hint: "Only what is below its root can be reached.",
    });
  }
  if (names.some(isGitName)) return fail(gitRefusal(path));
  if (process.platform === "win32" && names.some(isDeviceNameOnWindows)) {
    return fail({ code: "PATH_INVALID", message: `${path} names a device on Windows.` });
  }
  return succeed(names);
}

/** Where the symlink at `at` leads, when that is inside the root and not in `.git`. */
async function followLink(realRoot: string, at: string, path: string): Promise<Result<string, Refusal>> {
  const target = await readlink(at);
  const real = await realpath(at).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ELOOP" || errnoOf(error) === "ENOTDIR") return null;
    throw error;
  });
  const spelled = relative(realRoot, at);
  if (real === null) {
    return fail({ code: "PATH_SYMLINK", message: `${path}: ${spelled} is a symlink to ${target}, where nothing is.` });
  }
  if (!isBelow(realRoot, real)) {
    return fail({
      code: "PATH_SYMLINK",
      message: `${path}: ${spelled} is a symlink to ${target}, outside the working folder.`,
    });
  }
  if (relative(realRoot, real).split(sep).some(isGitName)) return fail(gitRefusal(path));
  return succeed(real);
}

async function statEntry(at: string) {
  return lstat(at).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  });
}

async function walkDown(
  realRoot: string,
  names: readonly string[],
  path: string,
): Promise<Result<ResolvedPath, Refusal>> {
  const spelled = names.join("/") || ".";
  const place = (absolute: string, kind: ResolvedPath["kind"], link: ResolvedPath["link"]) =>
    succeed({ path: spelled, real: relative(realRoot, absolute).split(sep).join("/") || ".", absolute, kind, link });
  let current = realRoot;
  let link: ResolvedPath["link"] = null;
  for (const [index, name] of names.entries()) {
    const next = join(current, name);
    const entry = await statEntry(next);
    if (entry === null) return place(join(next, ...names.slice(index + 1)), "missing", link);
    if (entry.isSymbolicLink()) {
      const followed = await followLink(realRoot, next, path);
      if (!followed.ok) return followed;
      link ??= { at: relative(realRoot, next).split(sep).join("/"), target: await readlink(next) };
      current = followed.value;
    } else current = next;
    if (index < names.length - 1 && !(await stat(current)).isDirectory()) {
      return fail({
        code: "NOT_A_DIRECTORY",
        message: `${path}: ${names.slice(0, index + 1).join("/")} is a file, so nothing can be below it.`,
      });
    }
  }
  const found = await stat(current);
  if (found.isFile()) return place(current, "file", link);
  if (found.isDirectory()) return place(current, "folder", link);
  return fail({ code: "NOT_A_FILE", message: `${path} is a device, pipe or socket.` });
}

/**
 * Resolves a model's path below `root` (absolute). What is not there yet is `missing`, not an error.
 * Codes: `PATH_ABSOLUTE`, `PATH_OUTSIDE`, `PATH_SYMLINK` (leads out, or nowhere), `PATH_GIT`, `PATH_INVALID`, `NOT_A_DIRECTORY`
 * (a file stands in the way), `NOT_A_FILE` (a device, pipe or socket), `ROOT_MISSING`, `PATH_UNREADABLE`. Never rejects.
 */
export async function resolveInside(root: string, path: string): Promise<Result<ResolvedPath, Refusal>> {
  const names = readSpelling(path);
  if (!names.ok) return names;
  try {
    const realRoot = await realpath(root).catch((error: unknown) => {
      if (errnoOf(error) === "ENOENT") return null;
      throw error;
    });
    if (realRoot === null)
      return fail({
        code: "ROOT_MISSING",
        message: "The working folder itself was removed; nothing can be done in it.",
      });
    return await walkDown(realRoot, names.value, path);
  } catch (error) {
    return fail({
      code: "PATH_UNREADABLE",
      message: `${path} cannot be looked at: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

/** `resolveInside`, and a file must be there. Further codes: `NOT_FOUND`, `IS_A_DIRECTORY`. */
export async function requireFile(root: string, path: string): Promise<Result<ResolvedPath, Refusal>> {
  const resolved = await resolveInside(root, path);
  if (!resolved.ok || resolved.value.kind === "file") return resolved;
  return resolved.value.kind === "missing"
    ? fail({ code: "NOT_FOUND", message: `There is no file ${path}.` })
    : fail({ code: "IS_A_DIRECTORY", message: `${path} is a folder.`, hint: "Use listFiles to see what is in it." });
}

/** `resolveInside`, and a folder must be there. Further codes: `NOT_FOUND`, `NOT_A_DIRECTORY`. */
export async function requireFolder(root: string, path: string): Promise<Result<ResolvedPath, Refusal>> {
  const resolved = await resolveInside(root, path);
  if (!resolved.ok || resolved.value.kind === "folder") return resolved;
  return resolved.value.kind === "missing"
    ? fail({ code: "NOT_FOUND", message: `There is no folder ${path}.` })
    : fail({ code: "NOT_A_DIRECTORY", message: `${path} is a file, not a folder.` });
}
