// Turns what stands in a work place into a commit on a hidden ref, through an index of the app's own. The place's own git
// files, index and settings are never consulted: an agent can write them.

import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { Snapshot, WorkPlace } from "../engine/ports/git.ts";
import { foldsCase, isMissing } from "./files.ts";
import { git, GitError, gitLine, longTimeoutMs } from "./git.ts";
import { placeOf, requireOid, requireRef, showPath, splitNul } from "./names.ts";
import { commitTree, treeOf } from "./objects.ts";
import { pin } from "./refs.ts";
import { findCheckoutAt, requireCheckoutOf } from "./repository.ts";
import { keptIndexOf, seedIndex, withTemporaryIndex } from "./scratch.ts";
import { findUnsaved } from "./submodules.ts";
import { wholeTree } from "./worktrees.ts";

/** Besides, a setting of the user's that refuses files for their line ends has no say here. */
const settings = [...wholeTree, "-c", "core.safecrlf=false"];

const carriageReturn = 0x0d;
/** Larger files are not read to find out whether only their line ends look changed: they count as git counts them. */
const maxReadBytes = 64 * 1024 * 1024;

type Seeded = {
  readonly gitDir: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly settings: readonly string[];
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Commits everything in the place over `base` and points `ref` at it: untracked files in, ignored ones out, tracked ones in
 * though ignored. What git cannot hold as files (a repository made inside, what stands in a submodule, a name like .GIT) is left out; the answer and the commit's message say so. Code `SNAPSHOT_FAILED`.
 */
export async function snapshot(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace,
  order: { readonly base: Oid; readonly ref: string; readonly message: string },
): Promise<Result<Snapshot>> {
  return answerFailure(place.path, async () => {
    requireRef(order.ref, "refs/coppice/");
    const isUsers = place.path === repo.topLevel;
    const seedFrom = isUsers
      ? join((await requireCheckoutOf(repo)).gitDir, "index")
      : keptIndexOf(dataFolder, place.path);
    const shot = { gitDir: repo.commonDir, workTree: place.path, isUsers, seedFrom, ...order };
    const made = await shoot(dataFolder, repo, shot);
    await pin(dataFolder, repo, order.ref, made.commit);
    return made;
  });
}

/** What the user has not committed in `checkout` (absolute) as a commit over `head`, on no ref. Their index is read, never written. Code `SNAPSHOT_FAILED`. */
export async function snapshotCheckout(
  dataFolder: string,
  repo: RepositoryFacts,
  checkout: string,
  head: Oid,
): Promise<Result<Snapshot>> {
  return answerFailure(checkout, async () => {
    const on = await findCheckoutAt(repo, checkout);
    if (on === null) throw new GitError("GIT_REFUSED", `${checkout} is not a checkout of ${repo.commonDir}.`);
    const seedFrom = join(on.gitDir, "index");
    return shoot(dataFolder, repo, {
      ...on,
      isUsers: true,
      seedFrom,
      base: head,
      message: "Uncommitted changes at the start of a Coppice run",
    });
  });
}

interface Shot {
  readonly gitDir: string;
  readonly workTree: string;
  /** Their checkout, where things are as their own git has them. */
  readonly isUsers: boolean;
  /** An index that knows the times of the files as they were written; it need not exist. */
  readonly seedFrom: string;
  readonly base: Oid;
  readonly message: string;
}

async function shoot(dataFolder: string, repo: RepositoryFacts, shot: Shot): Promise<Snapshot> {
  const { base } = shot;
  // What a submodule of theirs holds stays where it is.
  const findMore = shot.isUsers ? () => Promise.resolve([]) : (on: Seeded) => findUnsaved(dataFolder, repo, on);
  const { tree, leftOut } = await hashPlace(dataFolder, shot, findMore);
  const note = leftOut.map((path) => `\n\nLeft out, since git cannot hold it as files: ${path}`).join("");
  const commit = await commitTree(repo, { tree, parent: base, message: shot.message + note, at: Date.now() });
  return { commit, tree, isEmpty: tree === (await treeOf(repo, base)), leftOut };
}

/** The tree of what stands in a place, as a snapshot of it would have it; `env` may name another folder for its objects. */
export async function treeOfPlace(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace,
  base: Oid,
  env: Readonly<Record<string, string>>,
): Promise<Oid> {
  const seedFrom = keptIndexOf(dataFolder, place.path);
  const shot = { gitDir: repo.commonDir, workTree: place.path, isUsers: false, seedFrom, base, env };
  return (await hashPlace(dataFolder, shot, () => Promise.resolve([]))).tree;
}

/** `findMore`: what else cannot be held, of the index as it was brought to what is on disk. */
async function hashPlace(
  dataFolder: string,
  { gitDir, workTree, isUsers, base, seedFrom, env }: Omit<Shot, "message"> & Pick<Seeded, "env">,
  findMore: (on: Seeded) => Promise<readonly Buffer[]>,
): Promise<{ readonly tree: Oid; readonly leftOut: readonly string[] }> {
  return withTemporaryIndex(dataFolder, async (indexFile) => {
    // The person's settings are of the file system that their repository is on, which need not be that of the place.
    const casing = isUsers ? [] : ["-c", `core.ignoreCase=${await foldsCase(workTree)}`];
    const on = {
      gitDir,
      workTree,
      indexFile,
      settings: [...settings, ...casing],
      timeoutMs: longTimeoutMs,
      ...(env === undefined ? {} : { env }),
    };
    await seedIndex(seedFrom, indexFile);
    await git({ ...on, args: [...on.settings, "read-tree", "--reset", requireOid(base)] });
    const left = await stage(on);
    const more = (await findMore(on)).map((path) => `${showPath(path)}/`);
    const tree = requireOid(await gitLine({ ...on, args: [...on.settings, "write-tree"] }));
    return { tree, leftOut: [...left, ...more] };
  });
}

async function answerFailure(path: string, work: () => Promise<Snapshot>): Promise<Result<Snapshot>> {
  try {
    return succeed(await work());
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return fail({ code: "SNAPSHOT_FAILED", message: `The work in ${path} could not be saved: ${error.message}` });
  }
}

/**
 * Brings the index to what is on disk, and answers with what was passed over: repositories inside, names that git refuses. Not `git add`: it would
 * record those as links, and would ask git in tracked submodules, whose settings an agent can write, for their state.
 */
async function stage(on: Seeded): Promise<string[]> {
  const list = async (...flags: string[]) =>
    splitNul((await git({ ...on, args: [...on.settings, "ls-files", "-z", ...flags] })).stdout);
  const others = await list("--others", "--exclude-standard");
  const isNested = (path: Buffer) => path.at(-1) === 0x2f;
  const added = others.filter((path) => !isNested(path));
  const replaced = new Set(added.map((path) => path.toString("latin1")));
  // What lies below a path that is a file or a link now goes when that path comes.
  const tracked = (await list("--modified", "--deleted")).filter(
    (path) => !hasAncestor(path.toString("latin1"), replaced),
  );
  const untouched = await findUntouched(on, tracked);
  const input = Buffer.concat(
    [...tracked.filter((path) => !untouched.has(path)), ...added].flatMap((path) => [path, Buffer.of(0)]),
  );
  const call = {
    ...on,
    args: [...on.settings, "update-index", "--add", "--remove", "--replace", "-z", "--stdin"],
    input,
  };
  const said = input.length === 0 ? "" : (await git(call)).stderr;
  // Names that would be harmful in a checkout, such as .GIT: git says so and goes on.
  const refused = Array.from(said.matchAll(/^Ignoring path (.*)$/gm), ([, path = ""]) => path);
  return [...others.filter(isNested).map(showPath), ...refused];
}

/**
 * Of paths that git calls modified, those that hold exactly what a checkout of the index would write. Their stored line ends
 * are not what the settings would store, so git counts them as changed whenever it looks at them, though nobody touched them.
 */
export async function findUntouched(on: Omit<Seeded, "settings">, paths: readonly Buffer[]): Promise<Set<Buffer>> {
  const untouched = new Set<Buffer>();
  for (const path of paths) {
    const bytes = await findPlainBytes(placeOf(on.workTree, path));
    if (!bytes?.includes(carriageReturn) || showPath(path) !== path.toString("utf8")) continue;
    const args = [...settings, "cat-file", "--filters", `:0:${path.toString("utf8")}`];
    const { exitCode, stdout } = await git({ ...on, args, answers: [0, 128] });
    if (exitCode === 0 && stdout.equals(bytes)) untouched.add(path);
  }
  return untouched;
}

/** `null` for what is no file, and for one that is too large. */
async function findPlainBytes(path: Buffer): Promise<Buffer | null> {
  try {
    const entry = await lstat(path);
    return entry.isFile() && entry.size <= maxReadBytes ? await readFile(path) : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function hasAncestor(path: string, among: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (among.has(path.slice(0, end))) return true;
  }
  return false;
}
