// From what a person asked for to a run that can begin: the repository looked at, the target named, the options
// complete. Refuses before anything is written.

import { createHash, randomBytes } from "node:crypto";
import type { Oid, RunId } from "../../shared/contract/ids.ts";
import type { Balances, Limits, RunOptions } from "../../shared/contract/options.ts";
import { problemOfTeam } from "../../shared/contract/topology.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { slugOf } from "../../shared/lib/slug.ts";
import { type RoleTerms, usualTerms } from "../agents/roleFile.ts";
import { redactSure } from "../agents/redact.ts";
import { titleOf } from "../domain/decisions/spawn.ts";
import type { EventData } from "../domain/events.ts";
import type { RepositoryFacts, Target } from "../domain/records.ts";
import type { OwnRole } from "../domain/roles.ts";
import type { GitPort, OpenedRepository } from "../engine/ports/git.ts";
import type { CapName } from "./lowering.ts";
import { type ModelPrices, moneyLimit, pricesInUse, unpricedOf } from "./modelPrices.ts";
import { rolesFor } from "./roleFiles.ts";
import { templateFor } from "./templates.ts";
import { type PrepareParts, termsOf } from "./terms.ts";

/** A task given to Coppice. */
export interface Assignment {
  /** The folder the person named; the repository is found from there. */
  readonly folder: string;
  readonly task: string;
  readonly options: RunOptions;
  readonly limits: Limits;
  readonly budget: Balances;
  readonly wallMs: number | null;
  readonly price: { readonly input: number; readonly output: number } | null;
  /** Of the models that roles have of their own, or may be given by a file of the repository, by model. Absent: none. */
  readonly rolePrices?: { readonly [model: string]: Assignment["price"] };
  /** The user's uncommitted changes are part of the base. */
  readonly includesDirty: boolean;
  /** What files of the repository may be roles of. Absent: they may read, on the run's model. */
  readonly roleTerms?: RoleTerms;
  /** Limits that a person named for this run: the repository does not lower them. Absent: none. */
  readonly named?: readonly CapName[];
  /** `skip`: the commands that the repository brings are left out. Absent: they have to be trusted. */
  readonly repositoryCommands?: "skip";
}

export interface NewRun {
  readonly run: RunId;
  readonly data: EventData["run.created"];
}

const guideNames = ["AGENTS.md", "CLAUDE.md"];
const maxGuideBytes = 16_000;

/** `run`: the id that the run gets. Codes: those of `openRepository`, `templateFor`, `rolesFor` and `termsOf`, `BAD_BRANCH_NAME`, `BAD_USAGE`, `NO_PRICE`, `SNAPSHOT_FAILED`. */
export async function prepareRun(
  parts: PrepareParts,
  assignment: Assignment,
  run = newRunId(),
): Promise<Result<NewRun>> {
  const { git } = parts;
  if (assignment.task.trim() === "")
    return fail({ code: "BAD_USAGE", message: "The task is empty; say what is to be done with --task TEXT." });
  const problem = problemOfTeam(assignment.options);
  if (problem !== null) return fail({ code: "BAD_USAGE", message: problem });
  const opened = await git.openRepository(assignment.folder);
  if (!opened.ok) return opened;
  const { facts, branch, head } = opened.value;
  const roles = await rolesFor(git, facts, head, assignment.roleTerms ?? usualTerms);
  if (!roles.ok) return roles;
  const priced = pricedFor(assignment, roles.value);
  if (!priced.ok) return priced;
  const terms = await termsOf(parts, priced.value, opened.value);
  if (!terms.ok) return terms;
  const { options, limits, budget, wallMs, worktreeInclude, protectedPaths } = terms.value;
  // Before its first line becomes a title and a branch.
  const task = redactSure(assignment.task);
  const title = titleOf(task);
  const targets = await targetsFor(git, opened.value, options, run, title);
  if (!targets.ok) return targets;
  const base = await baseFor(git, opened.value, assignment.includesDirty);
  if (!base.ok) return base;
  const { target, finalTarget } = targets.value;
  const guide = await readGuide(git, facts, head);
  const template = await templateFor(
    git,
    facts,
    head,
    { ...priced.value, options, roles: roles.value },
    limits.maxSubagents,
  );
  if (!template.ok) return template;
  return succeed({
    run,
    data: {
      task,
      title,
      repo: facts.topLevel,
      repository: facts,
      base: base.value,
      ...(base.value === head ? {} : { includesDirty: true }),
      baseBranch: branch,
      target: target.branch,
      targetRef: target.ref,
      ...(finalTarget === null ? {} : { finalTarget }),
      options,
      limits,
      budget,
      wallMs,
      price: priced.value.price,
      ...(Object.keys(priced.value.rolePrices).length === 0 ? {} : { rolePrices: priced.value.rolePrices }),
      ...(worktreeInclude.length === 0 ? {} : { worktreeInclude }),
      ...(protectedPaths.length === 0 ? {} : { protectedPaths }),
      ...(guide === null ? {} : { guide }),
      ...(roles.value.length === 0 ? {} : { roles: roles.value }),
      ...(template.value === null ? {} : { template: template.value }),
    },
  });
}

/** With the prices of the models that its roles have, files of the repository included, and no limit on money where one of them is not known. Code `NO_PRICE`: a person asked for one. */
function pricedFor(assignment: Assignment, roles: readonly OwnRole[]): Result<Assignment & ModelPrices> {
  const { options, price, named = [], budget } = assignment;
  const rolePrices = pricesInUse(assignment.rolePrices ?? {}, options.roleModels ?? {}, roles);
  const asked = named.includes("costMicros") ? budget.costMicros : undefined;
  const costMicros = moneyLimit(asked, budget.costMicros, unpricedOf(options.model, { price, rolePrices }));
  return costMicros.ok
    ? succeed({ ...assignment, rolePrices, budget: { ...budget, costMicros: costMicros.value } })
    : costMicros;
}

/** The commit that the user sees, or, when they are to be included, their uncommitted changes as a commit over it. */
async function baseFor(
  git: GitPort,
  { facts, head, dirtyCount }: OpenedRepository,
  includesDirty: boolean,
): Promise<Result<Oid>> {
  if (!includesDirty || dirtyCount === 0) return succeed(head);
  const snapshot = await git.snapshotCheckout(facts, facts.topLevel, head);
  return snapshot.ok ? succeed(snapshot.value.commit) : snapshot;
}

const letters = "abcdefghjkmnpqrstuvwxyz";
const digits = "23456789";
const alphabet = letters + digits;

/** Ten letters and digits without the look-alikes, of both kinds: 50 bits, easy to read out. */
export function newRunId(): RunId {
  return runIdFrom(randomBytes(10));
}

/** The id of the run that a command starts: the same command names the same run, also after a restart. */
export function runIdOf(command: string): RunId {
  return runIdFrom(createHash("sha256").update(command).digest());
}

function runIdFrom(bytes: Uint8Array): RunId {
  const id = Array.from(bytes.subarray(0, 10), (byte) => alphabet[byte % alphabet.length]).join("");
  // Of letters alone it could be a word, of digits alone a number, wherever it stands in a text.
  const lacking = [letters, digits].find((kind) => !Array.from(kind).some((one) => id.includes(one)));
  return (lacking === undefined ? id : id.slice(0, -1) + lacking[(bytes[9] ?? 0) % lacking.length]) as RunId;
}

interface Targets {
  readonly target: Target;
  /** Under `final`: where the run's own branch goes at the end. */
  readonly finalTarget: Target | null;
}

async function targetsFor(
  git: GitPort,
  opened: OpenedRepository,
  options: RunOptions,
  run: RunId,
  title: string,
): Promise<Result<Targets>> {
  const named = await namedTarget(git, opened, options);
  if (!named.ok) return named;
  if (options.approve === "final") {
    if (named.value === null)
      return fail({
        code: "BAD_USAGE",
        message:
          "--approve final lands on the run's own branch first, so --land-on must name another: current or branch:NAME.",
      });
    return succeed({ target: await runBranch(git, opened.facts, run, title), finalTarget: named.value });
  }
  return succeed({ target: named.value ?? (await runBranch(git, opened.facts, run, title)), finalTarget: null });
}

/** The branch that `--land-on` names; `null` = the run's own. Codes `BAD_USAGE`, `BAD_BRANCH_NAME`. */
export async function namedTarget(
  git: GitPort,
  { facts, branch }: Pick<OpenedRepository, "facts" | "branch">,
  { landOn }: Pick<RunOptions, "landOn">,
): Promise<Result<Target | null>> {
  switch (landOn.kind) {
    case "run-branch":
      return succeed(null);
    case "current":
      if (branch === null)
        return fail({
          code: "BAD_USAGE",
          message: "No branch is checked out here (HEAD is detached); name one with --land-on branch:NAME.",
        });
      return succeed(targetOf(branch));
    case "branch": {
      const checked = await git.checkBranchName(facts, landOn.name);
      return checked.ok ? succeed(targetOf(landOn.name)) : checked;
    }
  }
}

/** The branch that a run lands on when it is told no other. */
export async function runBranch(git: GitPort, repo: RepositoryFacts, run: RunId, title: string): Promise<Target> {
  const name = `coppice/${slugOf(title, 40) || "run"}-${run}`;
  // A branch named `coppice` stands in the way of everything below it.
  const checked = await git.checkBranchName(repo, name);
  return targetOf(checked.ok ? name : name.replace("/", "-"));
}

/** A branch by its short name. */
export function targetOf(branch: string): Target {
  return { branch, ref: `refs/heads/${branch}` };
}

async function readGuide(
  git: GitPort,
  repo: RepositoryFacts,
  commit: Oid,
): Promise<{ readonly path: string; readonly text: string } | null> {
  for (const path of guideNames) {
    const text = await git.readFileAt(repo, commit, path, maxGuideBytes);
    if (text !== null && text.trim() !== "") return { path, text };
  }
  return null;
}
