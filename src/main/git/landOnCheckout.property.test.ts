// Whatever a user does before, between and during landings on their checkout: their bytes stay as they are or become exactly
// what lands, what they dropped does not come back, and no lock, stash, marker or worktree appears. COPPICE_INTERLEAVINGS=n for more.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/events.ts";
import type { CheckoutLanding } from "../engine/ports/git.ts";
import { landOnCheckout } from "./landOnCheckout.ts";

const runCount = Number(process.env["COPPICE_INTERLEAVINGS"] ?? 150);
const ref = "refs/heads/main";

let template: TempRepository;
let base: Oid;
/** Blobs of what agents write, by content, and the other way round. */
const blobs = new Map<string, string>();
const contents = new Map<string, string>();

beforeAll(() => {
  template = createTempRepository({
    "a.txt": "1\n2\n3\n",
    "b.txt": "b\n",
    "dir/c.txt": "c\n",
    "dir/d.txt": "d\n",
    "run.sh": "r\n",
  });
  rmSync(join(template.folder, ".git/hooks"), { recursive: true });
  template.write({ ".gitignore": "*.log\n.env\nbuild/\n", "b.txt": "bb\n" });
  const forked = template.commitAll("second");
  template.write({ "a.txt": "1\ntwo\n3\n" });
  base = template.commitAll("third") as Oid;
  template.git("checkout", "--quiet", "-b", "side", forked);
  template.write({ "a.txt": "1\nside\n3\n", "s.txt": "s\n" });
  template.commitAll("side");
  template.git("checkout", "--quiet", "main");
  for (const content of agentChanges.flatMap((change) => Object.values(change))) {
    if (content === null) continue;
    const blob = runGit(template.folder, ["hash-object", "-w", "--stdin"], { input: content }).toString().trim();
    blobs.set(content, blob);
    contents.set(blob, content);
  }
  // A git that does what a user does, once, before the call whose number is in the file "at".
  const git = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  const script = `#!/bin/sh
if [ -f "$INTERRUPT/at" ]; then
  case "$*" in *read-tree*--dry-run*) ;; *read-tree*-u*) exec ${git} "$@" ;; esac
  echo x >>"$INTERRUPT/calls"
  if [ "$(wc -l <"$INTERRUPT/calls")" -eq "$(cat "$INTERRUPT/at")" ]; then . "$INTERRUPT/act"; fi
fi
exec ${git} "$@"
`;
  template.write({ "bin/git": script }, template.outside);
  chmodSync(join(template.outside, "bin/git"), 0o755);
});
afterAll(() => {
  vi.unstubAllEnvs();
  template.cleanup();
});

const paths = ["a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "run.sh"] as const;
const news = ["new/x.txt", "n.txt", ".env", "build/out", "x.log", "dir/new.txt", "new"] as const;
const tracked = fc.constantFrom(...paths);
const anyPath = fc.constantFrom(...paths, ...news);

type Act = readonly [name: string, ...args: string[]];
const act: fc.Arbitrary<Act> = fc.oneof(
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
const agentChanges: readonly Record<string, string | null>[] = [
  { "a.txt": "1\n2\nagent\n" },
  { "b.txt": null },
  { "dir/c.txt": "agent\n" },
  { "dir/c.txt": null, "dir/d.txt": null, dir: "a file now\n" },
  { "run.sh": null, "run.sh/in": "i\n" },
  { "new/x.txt": "agent\n" },
  { "n.txt": "agent\n" },
  { ".env": "FAKE=1\n" },
  { "build/out": "agent\n" },
  { "dir/new.txt": "agent\n" },
];
const changes = fc.uniqueArray(fc.constantFrom(...agentChanges), { minLength: 1, maxLength: 3 });
const interruption = fc.option(
  fc.record({ at: fc.integer({ min: 1, max: 18 }), path: anyPath, isDeletion: fc.boolean() }),
  { freq: 2, nil: null },
);
const round = fc.record({
  before: fc.array(act, { maxLength: 3 }),
  change: changes,
  between: fc.array(act, { maxLength: 1 }),
  interruption,
});

interface Interleaving {
  readonly folder: string;
  readonly repo: RepositoryFacts;
  readonly dataFolder: string;
  readonly git: (...args: string[]) => string;
  /** A new content each time. */
  readonly token: () => string;
}

function perform({ folder, git, token }: Interleaving, [name, ...args]: Act): void {
  const [arg = ""] = args;
  const place = join(folder, arg);
  const steps: Record<string, () => unknown> = {
    write: () => {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, token());
    },
    "edit below": () => writeFileSync(place, `${readFileSync(place, "utf8")}${token()}`),
    delete: () => rmSync(place),
    touch: () => utimesSync(place, 1, 1),
    chmod: () => chmodSync(place, 0o755),
    rename: () => renameSync(place, `${place}.moved`),
    git: () => git(...arg.split(" ")),
  };
  try {
    steps[name]?.();
  } catch (error) {
    // Nothing to commit, no such file, a conflict: things that happen to users, and leave what they leave.
    if (!(error instanceof Error)) throw error;
  }
}

/** Everything that a landing may not change unasked; files down to inode and time. */
function look({ folder, git }: Interleaving) {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (entry.isDirectory() || path.startsWith(".git/")) continue;
    const { mode, mtimeNs, ino } = lstatSync(join(folder, path), { bigint: true });
    const content = entry.isSymbolicLink()
      ? readlinkSync(join(folder, path))
      : readFileSync(join(folder, path), "utf8");
    files.set(path, `${mode.toString(8)} ${mtimeNs} ${ino} ${content}`);
  }
  const index = git("ls-files", "-s", "-t")
    .split("\n")
    .map((line) => line.split("\t"));
  const log = join(folder, ".git/logs/refs/stash");
  return {
    files,
    index: new Map(index.map(([entry = "", path = ""]) => [`${path} ${entry.slice(-1)}`, entry])),
    refs: new Map(
      git("for-each-ref", "--format=%(refname) %(objectname)")
        .split("\n")
        .map((line) => line.split(" ") as [string, string]),
    ),
    head: readFileSync(join(folder, ".git/HEAD"), "utf8"),
    stashes: existsSync(log) ? readFileSync(log, "utf8") : "",
    names: [...readdirSync(join(folder, ".git")), ...readdirSync(join(folder, ".git/refs/heads"))].toSorted(),
  };
}
type Look = ReturnType<typeof look>;

function commitChange(
  { folder, dataFolder }: Interleaving,
  parent: string,
  change: readonly Record<string, string | null>[],
): Oid {
  const env = { GIT_INDEX_FILE: join(dataFolder, "aside") };
  const run = (args: readonly string[], input = "") => runGit(folder, args, { env, input }).toString().trim();
  run(["read-tree", parent]);
  const entries = Object.entries(Object.assign({}, ...change) as Record<string, string | null>);
  const removed = entries.filter(([, content]) => content === null).map(([path]) => `0 ${"0".repeat(40)}\t${path}\n`);
  const added = entries.flatMap(([path, content]) =>
    content === null ? [] : [`100644 ${blobs.get(content)}\t${path}\n`],
  );
  run(["update-index", "--replace", "--index-info"], [...removed, ...added].join(""));
  return run(["commit-tree", run(["write-tree"]), "-p", parent, "-m", "agent"]) as Oid;
}

/** The files of a commit, as `path` to content. */
function filesOf({ git }: Interleaving, commit: string): Map<string, string> {
  const lines = git("ls-tree", "-r", commit).split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.split("\t")[1] ?? "", line.split("\t")[0] ?? ""]));
}

/** Without the entries at `paths`. */
const outside = (state: ReadonlyMap<string, string>, paths: ReadonlySet<string>) =>
  [...state].filter(([key]) => !paths.has(key.replace(/ \d$/, "")));
const contentOf = (file: string | undefined) => file?.split(" ").slice(3).join(" ");

function judge(
  one: Interleaving,
  move: { old: Oid; next: Oid },
  landing: CheckoutLanding,
  before: Look,
  after: Look,
  own: ReadonlySet<string>,
): void {
  const [old, next] = [filesOf(one, move.old), filesOf(one, move.next)];
  const landed = new Set([...old.keys(), ...next.keys()].filter((path) => old.get(path) !== next.get(path)));
  // What the user did during the landing is judged by itself.
  const open = new Set(landing.kind === "landed" ? [...landed, ...own] : own);
  expect({
    ...after,
    files: outside(after.files, open),
    index: outside(after.index, open),
    refs: outside(after.refs, new Set([ref])),
  }).toEqual({
    ...before,
    files: outside(before.files, open),
    index: outside(before.index, open),
    refs: outside(before.refs, new Set([ref])),
  });
  expect(after.refs.get(ref)).toBe(landing.kind === "landed" ? move.next : before.refs.get(ref));
  if (landing.kind === "moved") expect(after.refs.get(ref)).not.toBe(move.old);
  if (landing.kind !== "landed") return;
  for (const path of landed) {
    if (own.has(path)) continue;
    const [is, was] = [after.files.get(path), before.files.get(path)];
    const [, , blob] = (next.get(path) ?? "").split(" ");
    const wanted = blob === undefined ? undefined : contents.get(blob);
    // Kept as it was where the user had staged the very same; nothing that they deleted is there again.
    if (is !== was) expect(contentOf(is), path).toBe(wanted);
    if (was === undefined && old.has(path)) expect(is).toBeUndefined();
    expect(after.index.get(`${path} 0`)?.slice(2)).toBe(
      blob === undefined ? undefined : `${next.get(path)?.split(" ")[0]} ${blob} 0`,
    );
  }
}

test(
  "landings among a user's acts change nothing but what lands, or nothing at all",
  { timeout: 60_000 + runCount * 8_000 },
  async () => {
    const seen = new Map<string, number>();
    let serial = 0;
    const count = (kind: string) => seen.set(kind, (seen.get(kind) ?? 0) + 1);
    const interleaving = async (rounds: readonly (typeof round extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const home = join(template.outside, `run-${(serial += 1)}`);
      const folder = join(home, "repo");
      cpSync(template.folder, folder, { recursive: true, preserveTimestamps: true });
      mkdirSync(join(home, "data"));
      const git = (...args: string[]) => runGit(folder, args).toString().trimEnd();
      const one: Interleaving = {
        folder,
        dataFolder: join(home, "data"),
        repo: { topLevel: folder, commonDir: join(folder, ".git"), rootCommit: base },
        git,
        token: () => `user ${(serial += 1)}\n`,
      };
      const pins = new Map<string, string>();
      for (const { before, change, between, interruption: during } of rounds) {
        for (const step of before) perform(one, step);
        const old = git("rev-parse", ref) as Oid;
        const next = commitChange(one, old, change);
        pins.set(`refs/coppice/r/subagent-1/${pins.size}`, next);
        git("update-ref", `refs/coppice/r/subagent-1/${pins.size - 1}`, next);
        for (const step of between) perform(one, step);
        const state = look(one);
        const token = one.token().trim();
        if (during !== null) {
          const place = join(folder, during.path);
          const what = during.isDeletion
            ? `rm -f '${place}'`
            : `mkdir -p '${dirname(place)}' && echo '${token}' >'${place}'`;
          writeFileSync(join(home, "act"), `{ ${what}; } 2>/dev/null; echo done >"$INTERRUPT/done"\n`);
          writeFileSync(join(home, "calls"), "");
          writeFileSync(join(home, "at"), String(during.at));
          vi.stubEnv("INTERRUPT", home);
          vi.stubEnv("PATH", `${join(template.outside, "bin")}${delimiter}${process.env["PATH"]}`);
        }
        const landing = await landOnCheckout(one.dataFolder, one.repo, { ref, old, next, checkout: folder }, [1]);
        vi.unstubAllEnvs();
        // Taking away what was not there is no act.
        const isAct = during !== null && (!during.isDeletion || state.files.has(during.path));
        const isDone = isAct && existsSync(join(home, "done"));
        const own = new Set(isDone ? [during.path] : []);
        const after = look(one);
        judge(one, { old, next }, landing, state, after, own);
        if (isDone) {
          const is = contentOf(after.files.get(during.path));
          // Where the act itself could not be (a file on the way), nothing of it is there.
          const couldBe = during.isDeletion ? is === undefined : is === `${token}\n`;
          const wasImpossible = !during.isDeletion && is === contentOf(state.files.get(during.path));
          expect(couldBe || wasImpossible, `${during.path}: ${is}`).toBe(true);
          count("during");
        }
        rmSync(join(home, "at"), { force: true });
        rmSync(join(home, "done"), { force: true });
        count(landing.kind === "refused" ? landing.code : landing.kind);
      }
      const kept = look(one).refs;
      expect([...pins].map(([pin]) => [pin, kept.get(pin)])).toEqual([...pins]);
      rmSync(home, { recursive: true });
    };
    await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 2 }), interleaving), {
      numRuns: runCount,
      seed: 20_260_101,
      endOnFailure: true,
    });
    // What never happened proves nothing.
    if (runCount < 100) return;
    for (const kind of [
      "landed",
      "moved",
      "LOCAL_CHANGES",
      "PATH_OCCUPIED",
      "WORKTREE_BUSY",
      "NOT_CHECKED_OUT",
      "during",
    ]) {
      expect(seen.get(kind) ?? 0, `${kind} of ${JSON.stringify([...seen])}`).toBeGreaterThan(2);
    }
  },
);
