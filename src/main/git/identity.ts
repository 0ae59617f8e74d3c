// Who the user is to git in one checkout. Never guesses from the host name, and never reads GIT_AUTHOR_* of whoever started the app.

import type { RepositoryFacts } from "../domain/records.ts";
import type { Identity } from "../engine/ports/git.ts";
import { git } from "./git.ts";
import { type Checkout, requireCheckoutOf } from "./repository.ts";

/** Name and mail as `git commit` would use them there (`author.*` before `user.*`); `null` unless both are set. */
export async function findIdentity(repo: RepositoryFacts): Promise<Identity | null> {
  const checkout = await requireCheckoutOf(repo);
  const name = (await findSetting(checkout, "author.name")) ?? (await findSetting(checkout, "user.name"));
  const email = (await findSetting(checkout, "author.email")) ?? (await findSetting(checkout, "user.email"));
  return name === null || email === null ? null : { name, email };
}

async function findSetting(checkout: Checkout, key: string): Promise<string | null> {
  const { stdout } = await git({ ...checkout, args: ["config", "-z", "--get", key], answers: [0, 1] });
  const value = stdout.toString("utf8").replace(/\0$/, "").trim();
  return value === "" ? null : value;
}
