// What a person sees in their checkout: what differs from HEAD, and which files there are. Reads only; takes no lock.

import type { RepositoryFacts } from "../domain/records.ts";
import type { CheckoutLook } from "../engine/ports/git.ts";
import { git, gitLine, longTimeoutMs } from "./git.ts";
import { splitNul } from "./names.ts";
import { listDirty, requireCheckoutOf } from "./repository.ts";

const shownDirty = 100;

/** As `GitPort.lookAtCheckout`. */
export async function lookAtCheckout(repo: RepositoryFacts): Promise<CheckoutLook> {
  const checkout = await requireCheckoutOf(repo);
  const [subject, dirty] = await Promise.all([
    // What people set for their own `git log` has no say.
    gitLine({ ...checkout, args: ["rev-list", "-1", "--no-commit-header", "--encoding=UTF-8", "--format=%s", "HEAD"] }),
    listDirty(checkout),
  ]);
  return { subject, dirty: dirty.slice(0, shownDirty) };
}

/** As `GitPort.listTracked`. */
export async function listTracked(repo: RepositoryFacts, limit: number): Promise<readonly string[]> {
  const checkout = await requireCheckoutOf(repo);
  const { stdout } = await git({ ...checkout, args: ["ls-files", "-z", "--cached"], timeoutMs: longTimeoutMs });
  return splitNul(stdout)
    .slice(0, limit)
    .map((name) => name.toString("utf8"));
}
