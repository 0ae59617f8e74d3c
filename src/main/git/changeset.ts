// What changed between two commits: files, and hunks numbered within each. Computed by git from the objects alone, under fixed
// options, so that the same two commits give the same numbers in every settings file and at every time.

import type { Oid } from "../../shared/contract/ids.ts";
import type { FileChange, Hunk, RepositoryFacts } from "../domain/records.ts";
import { GitError, longTimeoutMs } from "./git.ts";
import { requireOid, showPath, splitNul } from "./names.ts";
import { gitObjects } from "./objects.ts";
import { parsePatch, type PatchSection } from "./patch.ts";

/** One side of a change; `mode` is six octal digits. */
export interface Side {
  readonly path: Buffer;
  readonly mode: string;
  readonly blob: Oid;
}

/** A file change with what composing needs. `old` is `null` for an added file, `next` for a deleted one. */
export interface DetailedChange {
  readonly shown: FileChange;
  readonly old: Side | null;
  readonly next: Side | null;
  /** Its hunks are ranges of lines that can be taken singly; otherwise its one hunk is the file as a whole. */
  readonly isByLine: boolean;
  /** For each hunk one mark a line (a space, `+` or `-`); none where no line can be left out: binary content, links, deletions. */
  readonly marks: readonly string[];
}

interface RawChange {
  readonly status: string;
  readonly old: Side | null;
  readonly next: Side | null;
}

const plainModes = new Set(["100644", "100755"]);
const pairing = ["-r", "--find-renames=50%", "-l1000"];
const rawFormat = [...pairing, "--raw", "-z", "--no-abbrev"];
// Names are quoted here (no -z): a name with a line end in it could otherwise pass for a hunk header.
const patchFormat = [
  ...pairing,
  "--patch",
  "--histogram",
  "-U3",
  "--inter-hunk-context=0",
  "--indent-heuristic",
  "--full-index",
  "--submodule=short",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];
/** Bytes; a larger file is one change without lines, as a binary one: nobody reads it line by line, and its patch would fill the memory. */
const largestByLine = 16 * 1024 * 1024;
const whole: Hunk = { number: 1, oldStart: 0, oldLines: 0, newStart: 0, newLines: 0 };

/** File changes as the journal keeps them, in git's order (by path). */
export async function changesBetween(repo: RepositoryFacts, base: Oid, commit: Oid): Promise<readonly FileChange[]> {
  return (await detailedChanges(repo, base, commit)).map((change) => change.shown);
}

/** The same with modes, blobs and byte-exact names. */
export async function detailedChanges(repo: RepositoryFacts, base: Oid, commit: Oid): Promise<DetailedChange[]> {
  const raw = parseRaw((await diffTree(repo, base, commit, rawFormat)).stdout);
  const sections = parsePatch((await diffTree(repo, base, commit, patchFormat)).stdout);
  let at = 0;
  return raw.map((change) => {
    // Git writes a change of type (file to link) as a deletion and an addition.
    const own = sections.slice(at, at + (change.status === "T" ? 2 : 1));
    at += own.length;
    return detail(change, own);
  });
}

/** The change as a patch in UTF-8, for people to read; at most `maxBytes`, cut at a line with a note. */
export async function patchBetween(repo: RepositoryFacts, base: Oid, commit: Oid, maxBytes: number): Promise<string> {
  const { stdout, isCut } = await diffTree(repo, base, commit, patchFormat, { maxBytes: maxBytes + 1 });
  if (!isCut && stdout.length <= maxBytes) return stdout.toString("utf8");
  const note = `... cut here: the patch is longer than ${maxBytes} bytes\n`;
  const room = stdout.subarray(0, Math.max(0, maxBytes - note.length));
  return room.toString("utf8", 0, room.lastIndexOf(0x0a) + 1) + note;
}

/** The whole patch as git gives it, but for the paths in `except`; `to` may be a commit or a tree. */
export async function patchBytes(
  repo: RepositoryFacts,
  base: Oid,
  to: Oid,
  except: readonly string[] = [],
): Promise<Buffer> {
  return (await diffTree(repo, base, to, patchFormat, { except })).stdout;
}

/** One path that two commits hold differently. */
export interface PathChange {
  readonly path: Buffer;
  /** `null` where the first has nothing there. */
  readonly old: Side | null;
  /** `null` where the second has nothing there. */
  readonly next: Side | null;
}

/** Path by path what differs between two commits: no renames, no hunks, names byte-exact. */
export async function pathChanges(repo: RepositoryFacts, old: Oid, next: Oid): Promise<PathChange[]> {
  const { stdout } = await diffTree(repo, old, next, ["-r", "--no-renames", "--raw", "-z", "--no-abbrev"]);
  return parseRaw(stdout).flatMap((change) => {
    const side = change.next ?? change.old;
    return side === null ? [] : [{ path: side.path, old: change.old, next: change.next }];
  });
}

function diffTree(
  repo: RepositoryFacts,
  base: Oid,
  commit: Oid,
  format: readonly string[],
  { maxBytes, except = [] }: { readonly maxBytes?: number; readonly except?: readonly string[] } = {},
) {
  const paths = except.length === 0 ? [] : ["--", ":/", ...except.map((path) => `:(exclude,top,literal)${path}`)];
  const args = [
    "-c",
    "diff.suppressBlankEmpty=false",
    "-c",
    `core.bigFileThreshold=${largestByLine}`,
    "diff-tree",
    ...format,
    requireOid(base),
    requireOid(commit),
    ...paths,
  ];
  // What is left out is said by a pattern, and the door takes patterns for names unless it is told.
  const env = except.length === 0 ? {} : { GIT_LITERAL_PATHSPECS: "0" };
  return gitObjects(repo, { args, env, timeoutMs: longTimeoutMs, ...(maxBytes === undefined ? {} : { maxBytes }) });
}

/** `:<mode> <mode> <blob> <blob> <status>` NUL path NUL, and a second path for a rename. */
function parseRaw(output: Buffer): RawChange[] {
  const fields = splitNul(output);
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length;) {
    const [oldMode = "", mode = "", oldBlob = "", blob = "", status = ""] = (fields[at] ?? Buffer.of())
      .toString("latin1")
      .slice(1)
      .split(" ");
    const isRename = status.startsWith("R");
    const from = fields[at + 1];
    const path = isRename ? fields[at + 2] : from;
    if (from === undefined || path === undefined)
      throw new GitError("GIT_FAILED", "git diff-tree named a change without its path.");
    changes.push({
      status: status.charAt(0),
      old: status === "A" ? null : { path: from, mode: oldMode, blob: requireOid(oldBlob) },
      next: status === "D" ? null : { path, mode, blob: requireOid(blob) },
    });
    at += isRename ? 3 : 2;
  }
  return changes;
}

function detail(raw: RawChange, sections: readonly PatchSection[]): DetailedChange {
  const [section] = sections;
  const side = raw.next ?? raw.old;
  if (section === undefined || side === null)
    throw new GitError("GIT_FAILED", "git diff-tree gave no patch for a change that it listed.");
  checkIds(raw, section);
  const isPlain = [raw.old, raw.next].every((one) => one === null || plainModes.has(one.mode));
  const isBinary = sections.some((one) => one.isBinary);
  const isByLine = raw.old !== null && raw.next !== null && isPlain && !isBinary && section.hunks.length > 0;
  const path = showPath(side.path);
  const isRenamed = raw.status === "R" && raw.old !== null;
  const shown: FileChange = {
    path,
    ...(isRenamed && raw.old !== null ? { from: showPath(raw.old.path) } : {}),
    change: nameChange(raw, isBinary),
    added: sections.reduce((sum, one) => sum + one.added, 0),
    removed: sections.reduce((sum, one) => sum + one.removed, 0),
    hunks: isByLine || (sections.length === 1 && section.hunks.length === 1) ? section.hunks : [whole],
  };
  const hasLines = isByLine || (raw.old === null && isPlain && !isBinary);
  return { shown, old: raw.old, next: raw.next, isByLine, marks: hasLines ? section.marks : [] };
}

/** The order of the two outputs joins them; the blobs that a section names prove that it was the right one. */
function checkIds(raw: RawChange, { ids }: PatchSection): void {
  const old = ids === null || raw.old === null || ids[0] === raw.old.blob;
  const next = ids === null || raw.next === null || raw.status === "T" || ids[1] === raw.next.blob;
  if (!old || !next) throw new GitError("GIT_FAILED", "git diff-tree listed files and patches in different orders.");
}

function nameChange(raw: RawChange, isBinary: boolean): FileChange["change"] {
  if (raw.status === "A") return "added";
  if (raw.status === "D") return "deleted";
  if (raw.status === "R") return "renamed";
  if (isBinary) return "binary";
  return raw.status === "M" && raw.old?.blob === raw.next?.blob ? "mode" : "modified";
}
