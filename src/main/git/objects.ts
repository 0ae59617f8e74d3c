// Reads and writes git objects of a repository without a work tree: no attributes, no filters, no index of the user's.

import { join, posix } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { Identity } from "../engine/ports/git.ts";
import { appIdentity, git, type GitAnswer, type GitCall, GitError } from "./git.ts";
import { requireOid, splitNul } from "./names.ts";

const linkLimit = 5;
/** No system has longer ones. */
const longestPath = 4096;

/**
 * A call on the objects alone. Work tree and index are named as places that hold nothing: git would otherwise take attributes
 * from the user's checkout or index, and the same two commits would differ from one day to the next.
 */
export function gitObjects(repo: RepositoryFacts, call: GitCall): Promise<GitAnswer> {
  return git({
    indexFile: join(repo.commonDir, "coppice-no-index"),
    ...call,
    args: ["-c", "core.attributesFile=/dev/null", ...call.args],
    env: { GIT_ATTR_NOSYSTEM: "1", ...call.env },
    gitDir: repo.commonDir,
    workTree: repo.commonDir,
  });
}

/** The tree of a commit. Throws `GIT_FAILED` when there is no such commit. */
export async function treeOf(
  repo: RepositoryFacts,
  commit: Oid,
  env: Readonly<Record<string, string>> = {},
): Promise<Oid> {
  const { stdout } = await gitObjects(repo, { args: ["rev-parse", "--verify", `${requireOid(commit)}^{tree}`], env });
  return requireOid(stdout.toString("utf8").trim());
}

/** The first parent of a commit; `null` of a root commit. Throws `GIT_FAILED` when there is no such commit. */
export async function parentOf(repo: RepositoryFacts, commit: Oid): Promise<Oid | null> {
  const { stdout } = await gitObjects(repo, { args: ["rev-list", "--parents", "--max-count=1", requireOid(commit)] });
  const [, parent] = stdout.toString("utf8").trim().split(" ");
  return parent === undefined ? null : requireOid(parent);
}

/** The bytes of a blob, at most the first `maxBytes`; without that a blob of more than 512 MiB throws `GIT_OUTPUT_TOO_LARGE`. */
export async function readBlob(repo: RepositoryFacts, blob: Oid, maxBytes?: number): Promise<Buffer> {
  const limit = maxBytes === undefined ? {} : { maxBytes };
  const { stdout } = await gitObjects(repo, { args: ["cat-file", "blob", requireOid(blob)], ...limit });
  return stdout;
}

/** Stores bytes as they are, unfiltered, and names them. */
export async function writeBlob(repo: RepositoryFacts, bytes: Uint8Array): Promise<Oid> {
  const { stdout } = await gitObjects(repo, { args: ["hash-object", "-w", "--stdin"], input: bytes });
  return requireOid(stdout.toString("utf8").trim());
}

/** The text of a file at a commit, at most `maxBytes`, cut between characters; links inside the tree are followed. `null` when there is no such file. */
export async function readFileAt(
  repo: RepositoryFacts,
  commit: Oid,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  requireOid(commit);
  let at = path;
  for (let links = 0; links <= linkLimit; links += 1) {
    const args = ["ls-tree", "-z", "--full-tree", commit, "--", at];
    const [entry] = splitNul((await gitObjects(repo, { args })).stdout);
    const [mode, , blob] = entry?.toString("latin1").split(/[ \t]/) ?? [];
    if (mode === undefined || blob === undefined || !/^(?:100|120)/.test(mode)) return null;
    if (mode !== "120000") return readText(repo, requireOid(blob), maxBytes);
    const leadsTo = await readBlob(repo, requireOid(blob), longestPath + 1);
    if (leadsTo.length > longestPath) return null;
    at = posix.join(posix.dirname(at), leadsTo.toString("utf8"));
    if (at.startsWith("../") || at === "..") return null;
  }
  return null;
}

/** Paths of the files directly in these folders at a commit, in git's order, at most `limit`. A folder that is not there has none. */
export async function listFilesAt(
  repo: RepositoryFacts,
  commit: Oid,
  folders: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const below = folders.map((folder) => `${folder}/`);
  const args = ["ls-tree", "-z", "--full-tree", requireOid(commit), "--", ...below];
  return splitNul((await gitObjects(repo, { args })).stdout)
    .flatMap((entry) => /^(?:100|120)\d{3} blob [0-9a-f]+\t([^]*)$/.exec(entry.toString("utf8"))?.[1] ?? [])
    .slice(0, limit);
}

async function readText(repo: RepositoryFacts, blob: Oid, maxBytes: number): Promise<string> {
  const bytes = await readBlob(repo, blob, maxBytes);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
}

/** A commit object: no ref, no hook, no signature. `at` is epoch ms. Read back, since something between may rewrite it (case B23). */
export async function commitTree(
  repo: RepositoryFacts,
  commit: {
    readonly tree: Oid;
    readonly parent: Oid;
    readonly message: string;
    readonly identity?: Identity;
    readonly at: number;
  },
  env: Readonly<Record<string, string>> = {},
): Promise<Oid> {
  const { name, email } = commit.identity ?? appIdentity;
  const date = formatDate(commit.at);
  const message = commit.message.endsWith("\n") ? commit.message : `${commit.message}\n`;
  const written = await gitObjects(repo, {
    args: ["commit-tree", "--no-gpg-sign", requireOid(commit.tree), "-p", requireOid(commit.parent), "-F", "-"],
    input: message,
    env: {
      ...env,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  });
  const oid = requireOid(written.stdout.toString("utf8").trim());
  const { stdout } = await gitObjects(repo, { args: ["cat-file", "commit", oid], env });
  const expected = `tree ${commit.tree}\nparent ${commit.parent}\nauthor `;
  if (!stdout.toString("latin1").startsWith(expected)) {
    throw new GitError("GIT_FAILED", `Commit ${oid} does not have the tree and the parent that it was given.`);
  }
  return oid;
}

/** `@seconds ±hhmm`, in the zone of this machine. */
function formatDate(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const size = Math.abs(offset);
  const zone = Math.floor(size / 60) * 100 + (size % 60);
  return `@${Math.floor(at / 1000)} ${offset < 0 ? "-" : "+"}${String(zone).padStart(4, "0")}`;
}
