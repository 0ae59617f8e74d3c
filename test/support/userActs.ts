// What users do to a checkout while agents work, as arbitraries for property tests.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { runGit } from "./tempRepository.ts";

const paths = ["a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "run.sh"] as const;
const news = ["new/x.txt", "n.txt", ".env", "build/out", "x.log", "dir/new.txt", "new"] as const;
const tracked = fc.constantFrom(...paths);
/** Tracked files, and places for new, ignored and obstructing ones. */
export const anyPath = fc.constantFrom(...paths, ...news);

/** What is done, and its arguments. */
export type Act = readonly [name: string, ...args: string[]];
/** One thing that a user does in a checkout with a branch `side` that conflicts with it. */
export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("write"), anyPath) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("delete", "touch", "chmod", "rename", "edit below"), tracked) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant("git"),
      fc.constantFrom("add -A", "add -f .", "add -N .", "rm --cached --quiet b.txt", "mv run.sh go.sh"),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant("git"),
      fc.constantFrom("commit --quiet -am user", "commit --quiet --amend --allow-empty -m amended"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant("git"),
      fc.constantFrom(
        "reset --quiet --soft HEAD~1",
        "reset --quiet --mixed HEAD~1",
        "reset --quiet --hard HEAD~1",
        "reset --quiet --hard",
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant("git"),
      fc.constantFrom("switch --quiet -c other", "switch --quiet main", "switch --quiet --detach"),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant("git"), fc.constantFrom("stash --quiet", "stash --quiet -u", "stash pop --quiet")),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constant("git"),
      fc.constantFrom(
        "merge --quiet side",
        "rebase --quiet side",
        "cherry-pick side",
        "merge --abort",
        "rebase --abort",
        "cherry-pick --abort",
      ),
    ),
  },
);
/** Does it in `folder`; a write holds `content`. What fails has failed, as it would for the user. */
export function perform(folder: string, [name, arg = ""]: Act, content: string): void {
  const place = join(folder, arg);
  const steps: Record<string, () => unknown> = {
    write: () => {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    },
    "edit below": () => writeFileSync(place, `${readFileSync(place, "utf8")}${content}`),
    delete: () => rmSync(place),
    touch: () => utimesSync(place, 1, 1),
    chmod: () => chmodSync(place, 0o755),
    rename: () => renameSync(place, `${place}.moved`),
    git: () => runGit(folder, arg.split(" ")),
  };
  try {
    steps[name]?.();
  } catch (error) {
    // Nothing to commit, no such file, a conflict: things that happen to users, and leave what they leave.
    if (!(error instanceof Error)) throw error;
  }
}
