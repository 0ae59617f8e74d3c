// The worktrees of all runs, as git, the disk and the journals have them, and the work that is kept of them. Reads only.

import { readdir, readFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";

import type { Oid, RunId } from "../../shared/contract/ids.ts";
import type { KeptLine, WorktreeLine, WorktreesPage } from "../../shared/contract/worktrees.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { FoundWorktree, GitPort } from "../engine/ports/git.ts";
import type { ListedRunRow, StorePort } from "../engine/ports/store.ts";
import { placesFolder } from "../engine/room.ts";
import { type Care, keepMs, restoredBranch } from "../runs/care.ts";
import { storedState } from "../runs/storedState.ts";
import { standingOf } from "./worktreeStanding.ts";

export interface WorktreeParts {
  readonly home: string;
  readonly store: StorePort;
  readonly git: GitPort;
}

/** Worktrees that are looked at, and runs whose kept work is looked for. */
const maxWorktrees = 100;
const maxKeptRuns = 100;
const maxKept = 100;
const maxRepositories = 50;
/** One that is set aside may still go on, once its journal proves whole. */
const over = new Set(["stopped", "imported"]);

/** A worktree with what an act on it needs; `found` is `null` where its repository is not to be found. */
export interface LookedAt {
  readonly line: WorktreeLine;
  readonly found: FoundWorktree | null;
  readonly repo: RepositoryFacts | null;
}

export async function worktreesPage(parts: WorktreeParts): Promise<WorktreesPage> {
  const looked = await lookAtWorktrees(parts);
  const needsNobody = ({ act }: WorktreeLine) => Number(act === null);
  return {
    folder: placesFolder(parts.home),
    worktrees: looked.lines.map(({ line }) => line).toSorted((one, other) => needsNobody(one) - needsNobody(other)),
    total: looked.total,
  };
}

/** Work of the last runs that did not land, newest first. */
export async function keptWork({ store }: WorktreeParts, care: Care, now: number): Promise<readonly KeptLine[]> {
  const rows = (await store.listRuns()).filter((row) => row.status !== "imported" && now - row.updatedAt < keepMs);
  const recent = rows.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, maxKeptRuns);
  const titles = new Map(recent.map(({ run, title }) => [run, title]));
  const kept = await care.listPinned(recent);
  return kept
    .toReversed()
    .slice(0, maxKept)
    .map(({ run, agent, reason, files, until }) => ({
      run,
      title: titles.get(run) ?? run,
      agent,
      reason,
      branch: restoredBranch(run, agent),
      fileCount: files.length,
      until,
    }));
}

/** What a journal says of a worktree. */
interface Noted {
  readonly root: Oid;
  readonly repo: RepositoryFacts;
}

/** Each worktree below the data folder, by name. `only`: that one alone. */
export async function lookAtWorktrees(
  parts: WorktreeParts,
  only?: string,
): Promise<{ readonly lines: readonly LookedAt[]; readonly total: number }> {
  const rows = await parts.store.listRuns();
  const noted = await notedIn(parts, rows);
  const repositories = await repositoriesOf(parts, rows, noted);
  const places = placesFolder(parts.home);
  const runs = rows.map(({ run }) => run);
  const registered = new Map<string, RepositoryFacts>();
  for (const repo of repositories.values())
    for (const path of await parts.git.worktreesUnder(repo, places + sep, runs)) registered.set(path, repo);
  const onDisk = (await readdir(places).catch(() => [])).map((name) => join(places, name));
  const paths = [...new Set([...noted.keys(), ...registered.keys(), ...onDisk])].toSorted();
  const wanted = only === undefined ? paths.slice(0, maxWorktrees) : paths.filter((path) => path === only);
  const lines: LookedAt[] = [];
  for (const path of wanted) {
    const own = repositories.get(noted.get(path)?.repo.commonDir ?? "");
    const repo = own ?? registered.get(path) ?? (await repositoryIn(path, [...repositories.values()]));
    const isOnDisk = onDisk.includes(path);
    const looked = await lookAt(parts, rows, { path, isOnDisk, repo, noted: noted.get(path) ?? null });
    if (looked !== null) lines.push(looked);
  }
  return { lines, total: only === undefined ? paths.length - wanted.length + lines.length : lines.length };
}

interface Named {
  readonly path: string;
  readonly isOnDisk: boolean;
  readonly repo: RepositoryFacts | null;
  readonly noted: Noted | null;
}

async function lookAt(
  parts: WorktreeParts,
  rows: readonly ListedRunRow[],
  { path, isOnDisk: isThere, repo, noted }: Named,
): Promise<LookedAt | null> {
  const name = basename(path);
  const [, id, agent = null] = /^(.+)-e\d+-(.+)$/.exec(name) ?? [];
  const row = rows.find(({ run }) => run === id);
  const facts = {
    path,
    run: row?.run ?? null,
    title: row?.title ?? null,
    agent,
    isInJournal: noted !== null,
    branch: `coppice-restored/${name}`,
  };
  const root = noted?.root ?? (repo === null ? null : await rootOf(parts, repo, row?.run));
  // One that cannot be looked at does not hide the others.
  const found =
    repo === null || root === null ? null : await parts.git.inspectWorktree(repo, path, root).catch(() => null);
  if (repo === null || found === null) {
    const unseen = { isRegistered: false, isOnDisk: isThere, lock: null, changedCount: 0, looseCount: 0 };
    return {
      line: { ...facts, ...unseen, repo: null, standing: "unknown", act: null },
      found: null,
      repo: null,
    };
  }
  const run = row === undefined ? "none" : over.has(row.status) ? "over" : "goesOn";
  const stands = standingOf({ ...found, isInJournal: noted !== null, run });
  if (stands === null) return null;
  const { isRegistered, isOnDisk, lock, changedCount, looseCount } = found;
  return {
    line: { ...facts, ...stands, repo: repo.topLevel, isRegistered, isOnDisk, lock, changedCount, looseCount },
    found,
    repo,
  };
}

/** The worktrees that runs have which go on, by path. */
async function notedIn({ store }: WorktreeParts, rows: readonly ListedRunRow[]): Promise<ReadonlyMap<string, Noted>> {
  const noted = new Map<string, Noted>();
  for (const { run, status } of rows) {
    const state = over.has(status) ? null : await storedState(store, run);
    if (state === null) continue;
    const { nodes, lead, repo, line } = state;
    for (const { place, worktree, root } of nodes)
      if (place === "created" && worktree !== null) noted.set(worktree, { root: root ?? line, repo });
    if (lead.work !== null) noted.set(lead.work.path, { root: lead.work.root, repo });
  }
  return noted;
}

/** The repositories of all runs that are where they were, by common dir. */
async function repositoriesOf(
  { git }: WorktreeParts,
  rows: readonly ListedRunRow[],
  noted: ReadonlyMap<string, Noted>,
): Promise<ReadonlyMap<string, RepositoryFacts>> {
  const found = new Map<string, RepositoryFacts>();
  const folders = new Set([...[...noted.values()].map(({ repo }) => repo.topLevel), ...rows.map(({ repo }) => repo)]);
  for (const folder of [...folders].slice(0, maxRepositories)) {
    const opened = await git.openRepository(folder);
    if (opened.ok) found.set(opened.value.facts.commonDir, opened.value.facts);
  }
  return found;
}

/** Whose worktree a folder says that it is. An agent may have written that: only a repository that a run here has counts. */
async function repositoryIn(path: string, among: readonly RepositoryFacts[]): Promise<RepositoryFacts | null> {
  const link = await readFile(join(path, ".git"), "utf8").catch(() => "");
  return among.find(({ commonDir }) => link.startsWith(`gitdir: ${join(commonDir, "worktrees")}${sep}`)) ?? null;
}

/** What a worktree of a run that is over is compared with: the run's base, or what the repository has checked out. */
async function rootOf({ store, git }: WorktreeParts, repo: RepositoryFacts, run?: RunId): Promise<Oid | null> {
  const state = run === undefined ? null : await storedState(store, run);
  if (state !== null) return state.base.commit;
  const opened = await git.openRepository(repo.topLevel);
  return opened.ok ? opened.value.head : null;
}
