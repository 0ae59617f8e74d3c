// From what a person asked for to a run that can begin: the repository looked at, the target named, the options
// complete. Refuses before anything is written.

import { randomInt } from "node:crypto";
import type { Oid, RunId } from "../shared/contract/ids.ts";
import type { Balances, Limits, RunOptions } from "../shared/contract/options.ts";
import { fail, type Result, succeed } from "../shared/lib/result.ts";
import { titleOf } from "./domain/decisions/spawn.ts";
import type { EventData, RepositoryFacts, Target } from "./domain/events.ts";
import type { GitPort } from "./engine/ports/git.ts";

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
}

export interface NewRun {
  readonly run: RunId;
  readonly data: EventData["run.created"];
}

const guideNames = ["AGENTS.md", "CLAUDE.md"];
const maxGuideBytes = 16_000;

/** Codes: those of `openRepository`, `BAD_BRANCH_NAME`, `BAD_USAGE`. */
export async function prepareRun(git: GitPort, assignment: Assignment): Promise<Result<NewRun>> {
  if (assignment.task.trim() === "") return fail({ code: "BAD_USAGE", message: "The task is empty; say what is to be done with --task TEXT." });
  const opened = await git.openRepository(assignment.folder);
  if (!opened.ok) return opened;
  const { facts, branch, head } = opened.value;
  const run = newRunId();
  const title = titleOf(assignment.task);
  const target = await targetFor(git, facts, assignment.options, run, title);
  if (!target.ok) return target;
  const { task, options, limits, budget, wallMs, price } = assignment;
  const guide = await readGuide(git, facts, head);
  return succeed({
    run,
    data: {
      task,
      title,
      repo: facts.topLevel,
      repository: facts,
      base: head,
      baseBranch: branch,
      target: target.value.branch,
      targetRef: target.value.ref,
      options,
      limits,
      budget,
      wallMs,
      price,
      ...(guide === null ? {} : { guide }),
    },
  });
}

/** Ten letters and digits without the look-alikes: 50 bits, easy to read out. */
export function newRunId(): RunId {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  return Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join("") as RunId;
}

async function targetFor(git: GitPort, repo: RepositoryFacts, options: RunOptions, run: RunId, title: string): Promise<Result<Target>> {
  if (options.landOn.kind === "branch") {
    const { name } = options.landOn;
    const checked = await git.checkBranchName(repo, name);
    return checked.ok ? succeed({ branch: name, ref: `refs/heads/${name}` }) : checked;
  }
  const name = `coppice/${slugOf(title)}-${run}`;
  // A branch named `coppice` stands in the way of everything below it.
  const checked = await git.checkBranchName(repo, name);
  const branch = checked.ok ? name : name.replace("/", "-");
  return succeed({ branch, ref: `refs/heads/${branch}` });
}

function slugOf(title: string): string {
  const words = title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return words.slice(0, 40).replace(/-+$/, "") || "run";
}

async function readGuide(git: GitPort, repo: RepositoryFacts, commit: Oid): Promise<{ readonly path: string; readonly text: string } | null> {
  for (const path of guideNames) {
    const text = await git.readFileAt(repo, commit, path, maxGuideBytes);
    if (text !== null && text.trim() !== "") return { path, text };
  }
  return null;
}
