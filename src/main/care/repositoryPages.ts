// A repository as a new run would find it, and the names in it and around it that a person may mean while typing. Reads
// only, and only so much.

import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import type { CareBodies, RepositoryPage } from "../../shared/contract/care.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { GitPort, OpenedRepository } from "../engine/ports/git.ts";
import type { StorePort } from "../engine/ports/store.ts";
import type { JournalCache } from "../pages/journalCache.ts";
import { snapshotOf } from "../domain/projections/snapshot.ts";
import { usualTerms } from "../agents/roleFile.ts";
import { readRoles } from "../runs/roleFiles.ts";
import { templateChoices } from "../runs/templates.ts";
import { type ConfigurationParts, configurationOf } from "./configurationPages.ts";
import { bestPaths } from "./pathMatch.ts";
import { checksIn, locksIn } from "./repositoryHints.ts";

export interface RepositoryParts extends ConfigurationParts {
  readonly store: StorePort;
  readonly journals: JournalCache;
}

const maxTracked = 50_000;
const maxShown = 12;
const maxHintBytes = 256_000;
const comparedRuns = 10;

/** Codes: those of `GitPort.openRepository`. */
export async function repositoryPage(parts: RepositoryParts, folder: string): Promise<Result<RepositoryPage>> {
  const opened = await parts.git.openRepository(expandHome(folder));
  if (!opened.ok) return opened;
  const { facts, branch, head, dirtyCount } = opened.value;
  const [look, hints, configuration, usualMicros] = await Promise.all([
    parts.git.lookAtCheckout(facts),
    readHints(parts.git, opened.value),
    configurationOf(parts, opened.value),
    usualCost(parts, facts.topLevel),
  ]);
  return succeed({ folder: facts.topLevel, branch, head, dirtyCount, ...look, ...hints, configuration, usualMicros });
}

/** Tracked files and folders of a repository that fit what was typed, best first. */
export type FilesPage = (folder: string, typed: string) => Promise<Result<CareBodies["files"]>>;

/** How long a list of paths answers for its repository, ms: somebody types a few letters in a row. */
const listKeptMs = 10_000;

/** Reads the paths of a repository once for all letters of one name. `now` in ms. */
export function createFilesPage(git: GitPort, now: () => number): FilesPage {
  let last: {
    readonly folder: string;
    readonly at: number;
    readonly paths: Promise<Result<readonly string[]>>;
  } | null = null;
  return async (folder, typed) => {
    if (last === null || last.folder !== folder || now() - last.at > listKeptMs)
      last = { folder, at: now(), paths: listPaths(git, folder) };
    const paths = await last.paths;
    return paths.ok ? succeed({ paths: bestPaths(paths.value, typed, maxShown) }) : paths;
  };
}

async function listPaths(git: GitPort, folder: string): Promise<Result<readonly string[]>> {
  const opened = await git.openRepository(expandHome(folder));
  return opened.ok ? succeed(await git.listTracked(opened.value.facts, maxTracked)) : opened;
}

/** Folders that fit what was typed: repositories of earlier runs first, then what is on disk. */
export async function foldersPage(store: StorePort, typed: string): Promise<CareBodies["folders"]> {
  const known = [...new Set((await store.listRuns()).map(({ repo }) => repo))].filter(
    (repo) => repo !== "" && repo.toLowerCase().includes(typed.toLowerCase()),
  );
  const used = known.slice(0, maxShown).map((path) => ({ path, isRepository: true }));
  const found = typed === "" ? [] : await foldersOnDisk(expandHome(typed));
  const rest = found.filter(({ path }) => !known.includes(path));
  return { folders: [...used, ...rest].slice(0, maxShown) };
}

async function foldersOnDisk(typed: string): Promise<CareBodies["folders"]["folders"]> {
  if (!isAbsolute(typed)) return [];
  const parent = typed.endsWith(sep) ? typed : dirname(typed);
  const begin = typed.endsWith(sep) ? "" : typed.slice(parent.length).replace(sep, "").toLowerCase();
  // A folder that is not there, or may not be read, has nothing to offer.
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name.toLowerCase().startsWith(begin))
    .filter(({ name }) => begin.startsWith(".") || !name.startsWith("."))
    .map(({ name }) => name)
    .toSorted()
    .slice(0, maxShown);
  return Promise.all(
    names.map(async (name) => {
      const path = join(parent, name);
      return {
        path,
        isRepository: await stat(join(path, ".git")).then(
          () => true,
          () => false,
        ),
      };
    }),
  );
}

async function readHints(
  git: GitPort,
  opened: OpenedRepository,
): Promise<Pick<RepositoryPage, "locks" | "checks" | "templates">> {
  const { facts, head } = opened;
  const tracked = await git.listTracked(facts, maxTracked);
  const top = tracked.filter((path) => !path.includes("/"));
  const packageJson = top.includes("package.json")
    ? await git.readFileAt(facts, head, "package.json", maxHintBytes)
    : null;
  const templates = await readTemplates(git, opened, tracked);
  return { locks: locksIn(top), checks: checksIn(top, packageJson), templates };
}

/** What a run here can name as its template: the built-in ones, then those of the commit. `tracked`: its paths, where they are known. */
export async function readTemplates(
  git: GitPort,
  { facts, head }: OpenedRepository,
  tracked?: readonly string[],
): Promise<RepositoryPage["templates"]> {
  const paths = tracked ?? (await git.listTracked(facts, maxTracked));
  const roles = (await readRoles(git, facts, head, usualTerms)).flatMap(({ role }) => role ?? []);
  return templateChoices(git, facts, head, paths, roles);
}

/** The middle cost of the last runs in this repository whose price is known. */
async function usualCost({ store, journals }: RepositoryParts, folder: string): Promise<number | null> {
  const rows = (await store.listRuns()).filter(({ repo, status }) => repo === folder && status === "stopped");
  const costs: number[] = [];
  for (const { run } of rows.slice(0, comparedRuns)) {
    const journal = await journals.read(run);
    const cost = journal.ok ? snapshotOf(journal.value.state).costUsd : null;
    if (cost !== null && cost > 0) costs.push(Math.round(cost * 1_000_000));
  }
  return costs.toSorted((left, right) => left - right)[Math.floor(costs.length / 2)] ?? null;
}

/** `~` at the beginning is the home folder, as in a shell. */
export function expandHome(folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : folder;
}
