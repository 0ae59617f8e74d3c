// What the engine asks of the settings about commands: has a person allowed this one for good in this repository?

import type { RepositoryFacts } from "../../domain/records.ts";

/** A repository, wherever its checkouts are. */
export type RepositoryKey = Pick<RepositoryFacts, "commonDir" | "rootCommit">;

export interface RulePort {
  /** Whether a rule of this repository allows the shell line. Never throws: what cannot be read allows nothing. */
  matches(repo: RepositoryKey, line: string): boolean;
  /** Keeps a rule for this line; a second time it changes nothing. On disk when it resolves. Rejects with a `WorkbenchError`. */
  allow(repo: RepositoryKey, line: string): Promise<void>;
}
