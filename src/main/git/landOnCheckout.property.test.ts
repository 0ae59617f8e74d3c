// Whatever a user does before, between and during landings on their checkout: their bytes stay as they are or become exactly
// what lands, what they dropped does not come back, and no lock, stash, marker or worktree appears. COPPICE_INTERLEAVINGS=n for
// another number of them, with what came out counted in the report.

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import { act, anyPath, perform } from "../../../test/support/userActs.ts";
import { type CheckoutLook, commitAside, contentOf, lookAt } from "../../../test/support/userCheckout.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { CheckoutLanding } from "../engine/ports/git.ts";
import { landOnCheckout } from "./landOnCheckout.ts";

const seed = 20_260_101;
const runCount = Number(process.env["COPPICE_INTERLEAVINGS"] ?? 30);
const ref = "refs/heads/main";

let template: TempRepository;
let base: Oid;
let serial = 0;
/** How often each answer came, and how often a user was at it during a landing. */
const seen = new Map<string, number>();
const count = (kind: string) => seen.set(kind, (seen.get(kind) ?? 0) + 1);

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
  const everything = Object.assign({}, ...agentChanges) as Record<string, string | null>;
  commitAside(template.folder, join(template.outside, "aside"), base, everything);
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
/** Something that happens before the git call of this number in the middle of a landing. */
const interruption = fc.record({ at: fc.integer({ min: 1, max: 11 }), path: anyPath, isDeletion: fc.boolean() });
const round = fc.record({
  before: fc.array(act, { maxLength: 3 }),
  change: fc.uniqueArray(fc.constantFrom(...agentChanges), { minLength: 1, maxLength: 3 }),
  between: fc.array(act, { maxLength: 1 }),
  during: fc.option(interruption, { freq: 2, nil: null }),
});

type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;
type Interruption = NonNullable<Round["during"]>;

interface Landed {
  readonly path: string;
  readonly wasTracked: boolean;
  /** The index entry that it lands with; `undefined` for a deletion. */
  readonly entry: string | undefined;
}

/** What a landing is about, path by path. */
function landedPaths(folder: string, old: Oid, next: Oid): Landed[] {
  const lines = runGit(folder, ["diff-tree", "-r", "--no-renames", old, next]).toString().split("\n").filter(Boolean);
  return lines.map((line) => {
    const [, mode, , blob, status, path = ""] = line.split(/[ \t]/);
    return { path, wasTracked: status !== "A", entry: status === "D" ? undefined : `${mode} ${blob} 0` };
  });
}

/** What no landing may change: all but the branch, and the files and index entries at `paths`. */
function restOf(look: CheckoutLook, paths: ReadonlySet<string>) {
  const outside = (state: ReadonlyMap<string, string>) =>
    [...state].filter(([key]) => !paths.has(key.replace(/ \d$/, "")));
  const refs = [...look.refs].filter(([name]) => name !== ref);
  return { ...look, files: outside(look.files), index: outside(look.index), refs };
}

interface Judged {
  readonly folder: string;
  readonly old: Oid;
  readonly next: Oid;
  readonly contents: Readonly<Record<string, string | null>>;
  readonly landing: CheckoutLanding;
  readonly before: CheckoutLook;
  readonly after: CheckoutLook;
  /** The path that the user was at during the landing: judged apart. */
  readonly own: ReadonlySet<string>;
}

/** Throws where something outside of the landing changed; answers with what is wrong inside of it. */
function judge({ folder, old, next, contents, landing, before, after, own }: Judged): string[] {
  const isLanded = landing.kind === "landed";
  const changed = landedPaths(folder, old, next);
  const open = new Set(isLanded ? [...changed.map(({ path }) => path), ...own] : own);
  expect(restOf(after, open)).toEqual(restOf(before, open));
  const wrong: string[] = [];
  const tip = after.refs.get(ref);
  if (tip !== (isLanded ? next : before.refs.get(ref))) wrong.push(`the branch is at ${tip}`);
  if (landing.kind === "moved" && tip === old) wrong.push("it did not move");
  for (const { path, wasTracked, entry } of isLanded ? changed.filter(({ path }) => !own.has(path)) : []) {
    const [is, was] = [after.files.get(path), before.files.get(path)];
    const wanted = entry === undefined ? undefined : contents[path];
    // Kept as it was only where the user had staged the very same.
    if (is !== was && contentOf(is) !== wanted) wrong.push(`${path} is ${is}`);
    if (is !== undefined && was === undefined && wasTracked) wrong.push(`${path} came back`);
    if (after.index.get(`${path} 0`)?.slice(2) !== entry) wrong.push(`${path} is not in the index as it landed`);
  }
  return wrong;
}

/** Whether the user's act is there still. Where a file was taken away in time, what lands there finds its place free. */
function isKept(
  { path, isDeletion }: Interruption,
  content: string,
  landed: string | null | undefined,
  after: CheckoutLook,
): boolean {
  const is = contentOf(after.files.get(path));
  return isDeletion ? is === undefined || is === landed : is === content;
}

/** Lays out the act for the git of the test to do in the middle of the next landing. It fails where a file is in its folder's place. */
function arrange(home: string, { at, path, isDeletion }: Interruption, content: string): void {
  const place = join(home, "repo", path);
  const act = isDeletion ? `rm -f '${place}'` : `mkdir -p '${dirname(place)}' && printf '${content}' >'${place}'`;
  writeFileSync(join(home, "act"), `{ ${act}; } 2>/dev/null && echo done >"$INTERRUPT/done"\n`);
  writeFileSync(join(home, "calls"), "");
  writeFileSync(join(home, "at"), String(at));
  vi.stubEnv("INTERRUPT", home);
  vi.stubEnv("PATH", `${join(template.outside, "bin")}${delimiter}${process.env["PATH"]}`);
}

/** One round in the checkout below `home`. Answers with the agent's commit. */
async function play(home: string, pin: string, { before: acts, change, between, during }: Round): Promise<Oid> {
  const folder = join(home, "repo");
  const content = () => `user ${(serial += 1)}`;
  for (const step of acts) perform(folder, step, content());
  const contents = Object.assign({}, ...change) as Record<string, string | null>;
  const old = runGit(folder, ["rev-parse", ref]).toString().trim() as Oid;
  const next = commitAside(folder, join(home, "aside"), old, contents);
  runGit(folder, ["update-ref", pin, next]);
  for (const step of between) perform(folder, step, content());
  const before = lookAt(folder);
  const written = content();
  if (during !== null) arrange(home, during, written);
  const repo = { topLevel: folder, commonDir: join(folder, ".git"), rootCommit: base };
  const landing = await landOnCheckout(join(home, "data"), repo, { ref, old, next, checkout: folder }, [1]);
  vi.unstubAllEnvs();
  const after = lookAt(folder);
  // Taking away what was not there is no act.
  const isAct =
    during !== null && existsSync(join(home, "done")) && (!during.isDeletion || before.files.has(during.path));
  const own = new Set(isAct ? [during.path] : []);
  const wrong = judge({ folder, old, next, contents, landing, before, after, own });
  const landed = during !== null && landing.kind === "landed" ? contents[during.path] : undefined;
  if (isAct && !isKept(during, written, landed, after)) wrong.push(`${during.path} is ${after.files.get(during.path)}`);
  expect(wrong).toEqual([]);
  count(landing.kind === "refused" ? landing.code : landing.kind);
  if (isAct) count("during");
  for (const name of ["at", "done"]) rmSync(join(home, name), { force: true });
  return next;
}

test(
  "landings among a user's acts change nothing but what lands, or nothing at all",
  { timeout: 60_000 + runCount * 8_000 },
  async () => {
    const interleave = async (rounds: readonly Round[]) => {
      const home = join(template.outside, `run-${(serial += 1)}`);
      const folder = join(home, "repo");
      cpSync(template.folder, folder, { recursive: true, preserveTimestamps: true });
      mkdirSync(join(home, "data"));
      const pins: [string, Oid][] = [];
      for (const one of rounds) {
        const pin = `refs/coppice/r/subagent-1/${pins.length + 1}`;
        pins.push([pin, await play(home, pin, one)]);
      }
      const { refs } = lookAt(folder);
      expect([...refs].filter(([name]) => name.startsWith("refs/coppice/"))).toEqual(pins);
      rmSync(home, { recursive: true });
    };
    await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 2 }), interleave), {
      numRuns: runCount,
      seed,
      endOnFailure: true,
    });
    if (process.env["COPPICE_INTERLEAVINGS"])
      process.stdout.write(`${JSON.stringify({ seed, interleavings: runCount, ...Object.fromEntries(seen) })}\n`);
    // What never happened proves nothing.
    const kinds = ["landed", "moved", "LOCAL_CHANGES", "PATH_OCCUPIED", "WORKTREE_BUSY", "NOT_CHECKED_OUT", "during"];
    expect(kinds.filter((kind) => (seen.get(kind) ?? 0) < runCount / 50)).toEqual([]);
  },
);
