// Who the user is to git in one checkout. Never guesses from the host name, and never reads GIT_AUTHOR_* of whoever started the app.

import type { RepositoryFacts } from "../domain/records.ts";
import type { Identity } from "../engine/ports/git.ts";
import { git } from "./git.ts";
import { type Checkout, requireCheckoutOf } from "./repository.ts";

/** Name and mail as `git commit` would use them there (`author.*` before `user.*`); `null` unless both are set. */
export async function findIdentity(repo: RepositoryFacts): Promise<Identity | null> {
  const settings = await readSettings(await requireCheckoutOf(repo), "^(author|user)\\.(name|email)$");
  const name = settings.get("author.name") ?? settings.get("user.name");
  const email = settings.get("author.email") ?? settings.get("user.email");
  return name === undefined || email === undefined ? null : { name, email };
}

/** The settings whose keys match, each as git would take it: the last of several. Empty ones count as not set. */
async function readSettings(checkout: Checkout, pattern: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await git({ ...checkout, args: ["config", "-z", "--get-regexp", pattern], answers: [0, 1] });
  const settings = new Map<string, string>();
  for (const setting of stdout.toString("utf8").split("\0")) {
    const end = setting.indexOf("\n");
    const [key, value] = [setting.slice(0, end), setting.slice(end + 1).trim()];
    if (value === "") settings.delete(key);
    else settings.set(key, value);
  }
  return settings;
}
