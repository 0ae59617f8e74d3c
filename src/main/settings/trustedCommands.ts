// Owns which commands of which repository a person has trusted: `settings/trusted-commands.json` of the data folder. What is
// trusted is exactly what was shown, by its hash. It must never trust what it cannot read.

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryCommands } from "../../shared/contract/repositoryCommands.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { RepositoryKey } from "../engine/ports/rules.ts";
import { entryOf, withEntry } from "./keptRepositories.ts";
import { type KeptShape, openKeptFile } from "./keptFile.ts";

/** What was trusted, when (epoch ms), and under which hash. */
export interface TrustedEntry extends RepositoryCommands {
  readonly hash: string;
  readonly at: number;
}

export interface TrustedCommands {
  /** Whether a person has trusted just these commands in this repository. Never throws: what cannot be read trusts nothing. */
  isTrusted(repo: RepositoryKey, commands: RepositoryCommands): boolean;
  /** Keeps them as trusted; a second time it changes nothing. On disk when it resolves. Rejects with `BAD_CONFIGURATION`. */
  trust(repo: RepositoryKey, commands: RepositoryCommands, at: number): Promise<void>;
  /** Takes the trust in what has this hash back, if there is any. On disk when it resolves. Rejects with `BAD_CONFIGURATION`. */
  forget(repo: RepositoryKey, hash: string): Promise<void>;
  /** Every repository with trusted commands, oldest trust first. Throws `BAD_CONFIGURATION`. */
  all(): readonly { readonly repository: RepositoryKey; readonly trusted: readonly TrustedEntry[] }[];
}

/** A repository changes its commands now and then; so many of them are remembered. */
const maxEntries = 20;

const lines = z.array(z.string()).readonly();
const entrySchema = z.strictObject({
  hash: z.string(),
  at: z.number(),
  setup: lines,
  setupNetwork: z.exactOptional(z.literal("on")),
  verify: lines,
});
const contentSchema = z.strictObject({
  version: z.literal(1),
  repositories: z
    .array(z.strictObject({ commonDir: z.string(), rootCommit: z.string(), trusted: z.array(entrySchema).readonly() }))
    .readonly(),
});

type Content = z.infer<typeof contentSchema>;

const shape: KeptShape<Content> = {
  name: "trusted-commands.json",
  what: "trusted commands",
  schema: contentSchema,
  empty: { version: 1, repositories: [] },
};

/** Names commands by their content, and by the network where they ask for it: hexadecimal SHA-256. */
export function hashOfCommands({ setup, setupNetwork, verify }: RepositoryCommands): string {
  const content = { setup, ...(setupNetwork === undefined ? {} : { setupNetwork }), verify };
  return createHash("sha256").update(canonicalJson(content)).digest("hex");
}

/** Opens what is trusted in a data folder. A damaged file is set aside and reported. Rejects with `BAD_CONFIGURATION`. */
export async function openTrustedCommands(folder: string): Promise<TrustedCommands> {
  const file = await openKeptFile(folder, shape);
  return {
    isTrusted: (repo, commands) => {
      const content = file.find();
      return content !== null && holds(trustedIn(content, repo), hashOfCommands(commands));
    },
    trust: (repo, commands, at) => {
      const hash = hashOfCommands(commands);
      return file.change((content) => {
        const before = trustedIn(content, repo);
        return holds(before, hash) ? content : withTrusted(content, repo, [...before, { hash, at, ...commands }]);
      });
    },
    forget: (repo, hash) =>
      file.change((content) => {
        const before = trustedIn(content, repo);
        const after = before.filter((entry) => entry.hash !== hash);
        return after.length === before.length ? content : withTrusted(content, repo, after);
      }),
    all: () =>
      file.require().repositories.map(({ commonDir, rootCommit, trusted }) => ({
        repository: { commonDir, rootCommit: rootCommit as Oid },
        trusted,
      })),
  };
}

function holds(trusted: readonly TrustedEntry[], hash: string): boolean {
  return trusted.some((entry) => entry.hash === hash);
}

function trustedIn(content: Content, repo: RepositoryKey): readonly TrustedEntry[] {
  return entryOf(content.repositories, repo)?.trusted ?? [];
}

function withTrusted(content: Content, repo: RepositoryKey, trusted: readonly TrustedEntry[]): Content {
  const kept = trusted.slice(-maxEntries);
  const entry = kept.length === 0 ? null : { trusted: kept };
  return { ...content, repositories: withEntry(content.repositories, repo, entry) };
}
