// What is left of a landing that was cut short, and how it is completed: states made by hand, and an app that is killed before
// and during each of its git calls. With real git and real processes.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { CheckoutMove, LandingState } from "../engine/ports/git.ts";
import { finishLandingOnCheckout, inspectLanding } from "./inspectLanding.ts";
import { landOnCheckout } from "./landOnCheckout.ts";
import { sampleOf } from "../../../test/support/thorough.ts";

let template: TempRepository;
let old: Oid;
let next: Oid;
let realGit: string;
let serial = 0;

let home: string;
let folder: string;
let repo: RepositoryFacts;
let move: CheckoutMove;

const ref = "refs/heads/main";
const git = (...args: string[]) => runGit(folder, args).toString().trimEnd();
const at = (path: string) => join(folder, path);
const dataFolder = () => join(home, "data");
const inspect = () => inspectLanding(dataFolder(), repo, move, [1]);
const finish = () => finishLandingOnCheckout(dataFolder(), repo, move, [1]);
const readTree = (from: string, to: string) => {
  // A copied repository looks touched all over, and read-tree goes by that.
  runGit(folder, ["status"], { env: { GIT_OPTIONAL_LOCKS: "1" } });
  git("read-tree", "-m", "-u", from, to);
};
const locks = () =>
  [...readdirSync(at(".git")), ...readdirSync(at(".git/refs/heads"))].filter((name) => name.endsWith(".lock"));
/** What the user sees: the branch, each path against the commit, and what is theirs. */
const outcome = () => ({
  tip: git("rev-parse", ref),
  status: git("status", "--porcelain"),
  mine: [readFileSync(at("mine.txt"), "utf8"), readFileSync(at("loose.txt"), "utf8")],
  locks: locks(),
});
const whole = () => ({ tip: next, status: " M mine.txt\n?? loose.txt", mine: ["dirty\n", "loose\n"], locks: [] });

beforeAll(() => {
  realGit = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  template = createTempRepository({
    "a.txt": "a\n",
    "b.txt": "b\n",
    "dir/c.txt": "c\n",
    "mine.txt": "m\n",
    ".gitignore": ".env\n",
  });
  old = template.git("rev-parse", "HEAD") as Oid;
  template.write({ "a.txt": "agent\n", ".env": "agent\n", "new/x.txt": "x\n", "run.sh/in": "i\n" });
  template.git("rm", "--quiet", "b.txt");
  template.git("add", "-f", ".env");
  next = template.commitAll("landed") as Oid;
  template.git("reset", "--quiet", "--hard", old);
  template.write({ "mine.txt": "dirty\n", "loose.txt": "loose\n" });
});
afterAll(() => template.cleanup());
beforeEach(() => begin());

function begin(): void {
  home = join(template.outside, `round-${(serial += 1)}`);
  folder = join(home, "repo");
  cpSync(template.folder, folder, { recursive: true, preserveTimestamps: true });
  mkdirSync(dataFolder());
  repo = { topLevel: folder, commonDir: at(".git"), rootCommit: old };
  move = { ref, old, next, checkout: folder };
}

describe("a landing with a record and no outcome is", () => {
  const states: Record<string, { prepare(): void; state: LandingState; end?: unknown }> = {
    "untouched before anything moved": { prepare: () => undefined, state: "untouched" },
    "untouched when files were only touched": { prepare: () => writeFileSync(at("a.txt"), "a\n"), state: "untouched" },
    "landed when the branch is there": {
      prepare: () => {
        readTree(old, next);
        git("update-ref", ref, next);
      },
      state: "landed",
    },
    "landed when the user has committed on top": {
      prepare: () => {
        readTree(old, next);
        git("update-ref", ref, next);
        git("commit", "--quiet", "-am", "on top");
      },
      state: "landed",
    },
    "finishable with index and files new and the branch old": {
      prepare: () => readTree(old, next),
      state: "finishable",
    },
    "finishable with some files new and the index old": {
      prepare: () => {
        writeFileSync(at("a.txt"), "agent\n");
        rmSync(at("b.txt"));
        writeFileSync(at(".env"), "agent\n");
      },
      state: "finishable",
    },
    "finishable with the index new and some files old": {
      prepare: () => {
        readTree(old, next);
        writeFileSync(at("a.txt"), "a\n");
        rmSync(at("new"), { recursive: true });
      },
      state: "finishable",
    },
    "foreign when a file is something else": { prepare: () => writeFileSync(at("a.txt"), "third\n"), state: "foreign" },
    "foreign when something else is staged": {
      prepare: () => {
        writeFileSync(at("a.txt"), "third\n");
        git("add", "a.txt");
        writeFileSync(at("a.txt"), "a\n");
      },
      state: "foreign",
    },
    "foreign when a file of it is gone": { prepare: () => rmSync(at("a.txt")), state: "foreign" },
    "foreign when a mode is another": { prepare: () => chmodSync(at("a.txt"), 0o755), state: "foreign" },
    "foreign when something of the user's stands at an added path": {
      prepare: () => writeFileSync(at(".env"), "SECRET\n"),
      state: "foreign",
    },
    "foreign when the branch has moved elsewhere": {
      prepare: () => void git("commit", "--quiet", "-am", "mine"),
      state: "foreign",
    },
    "foreign when the user has switched away with it staged": {
      prepare: () => {
        readTree(old, next);
        git("switch", "--quiet", "-c", "other");
      },
      state: "foreign",
    },
    "foreign when the checkout is gone": {
      prepare: () => void (move = { ...move, checkout: join(home, "gone") }),
      state: "foreign",
    },
  };

  test.each(Object.entries(states))("%s, and looking changes nothing", async (_, { prepare, state }) => {
    prepare();
    const files = [".git/index", "a.txt", "b.txt", ".env", "new/x.txt", "run.sh/in"];
    const look = () => ({
      ...outcome(),
      files: files.map((path) =>
        existsSync(at(path)) ? [readFileSync(at(path), "latin1"), statSync(at(path)).mtimeMs] : null,
      ),
    });
    const before = look();
    const found = await inspect();
    const after = look();
    expect([found, after]).toEqual([state, before]);
    if (state !== "finishable") return;
    expect([await finish(), outcome(), await inspect()]).toEqual([{ kind: "landed" }, whole(), "landed"]);
  });

  test("refused to be finished in a third state, and while a merge is unfinished", async () => {
    writeFileSync(at("a.txt"), "third\n");
    const third = await finish();
    writeFileSync(at(".git/MERGE_HEAD"), `${old}\n`);
    const busy = await finish();
    expect([third, busy, readFileSync(at("a.txt"), "utf8"), git("rev-parse", ref)]).toEqual([
      {
        kind: "refused",
        code: "FOREIGN_STATE",
        sentence: expect.stringContaining("Nothing was touched"),
        paths: ["a.txt"],
      },
      { kind: "refused", code: "WORKTREE_BUSY", sentence: expect.stringContaining("a merge") },
      "third\n",
      old,
    ]);
  });
});

/** Of a landing's git calls, every so many are met by a death. */
const stride = sampleOf(1, 4);

describe("when the app is killed", () => {
  type Kill = "before" | "during" | "after";

  /** Lands in a process of its own that is killed at its git call number `call`. Answers with whether it got that far. */
  async function landAndDie(call: number, kill: Kill): Promise<boolean> {
    const bin = join(home, "bin");
    mkdirSync(bin, { recursive: true });
    const ends: Record<Kill, string> = {
      before: "kill -9 $APP_PID; exit 1",
      during: "kill -9 $APP_PID",
      after: `${realGit} "$@"; code=$?; kill -9 $APP_PID; exit $code`,
    };
    const script = `#!/bin/sh\necho "$*" >>'${home}/calls'\nif [ "$(wc -l <'${home}/calls')" -eq ${call} ]; then ${ends[kill]}; fi\nexec ${realGit} "$@"\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    const program = `
      process.env.APP_PID = process.pid;
      import { landOnCheckout } from ${JSON.stringify(new URL("./landOnCheckout.ts", import.meta.url).href)};
      await landOnCheckout(...${JSON.stringify([dataFolder(), repo, move])});`;
    const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` },
      stdio: "ignore",
    });
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    return signal === "SIGKILL";
  }

  /** The number of the call that writes index and files, known from a landing that nobody disturbs. */
  async function numberOfWrite(): Promise<number> {
    const disturbed = [home, folder, repo, move] as const;
    begin();
    await landAndDie(0, "before");
    const calls = readFileSync(join(home, "calls"), "utf8").split("\n");
    [home, folder, repo, move] = disturbed;
    return calls.findIndex((call) => call.includes("read-tree -m -u")) + 1;
  }

  /** What recovery does with a landing that has no outcome, until it has one. */
  async function recover(): Promise<LandingState[]> {
    const seen: LandingState[] = [];
    for (let step = 0; step < 6; step += 1) {
      const state = await inspectLanding(dataFolder(), repo, move);
      seen.push(state);
      if (state === "landed") break;
      // A git that outlived the app may still be at it: then this is refused, and looked at again.
      if (state === "untouched") await landOnCheckout(dataFolder(), repo, move);
      if (state === "finishable") await finishLandingOnCheckout(dataFolder(), repo, move);
    }
    return seen;
  }

  test(
    "before or during any of its git calls, recovery ends with the landing whole",
    { timeout: 240_000 },
    async () => {
      const rounds: { call: number; kill: Kill; wasKilled: boolean; outcome: unknown }[] = [];
      let isOver = false;
      for (let call = 1; !isOver; call += stride) {
        for (const kill of ["before", "during"] as const) {
          begin();
          const wasKilled = await landAndDie(call, kill);
          await recover();
          rounds.push({ call, kill, wasKilled, outcome: outcome() });
          isOver = !wasKilled;
          rmSync(home, { recursive: true });
        }
      }
      expect(rounds.filter(({ wasKilled }) => wasKilled).length).toBeGreaterThanOrEqual(20 / stride);
      expect(rounds.map(({ outcome }) => outcome)).toEqual(rounds.map(whole));
    },
  );

  test("between the files and the branch, the landing is finishable and then whole", async () => {
    const wasKilled = await landAndDie(await numberOfWrite(), "after");
    // The git that held the branch outlives the app until it has read the end of its input; then it lets go.
    await expect.poll(locks, { timeout: 20_000 }).toEqual([]);
    const tip = git("rev-parse", ref);
    expect([wasKilled, tip, await recover(), outcome()]).toEqual([true, old, ["finishable", "landed"], whole()]);
  });

  test("together with the git that writes the files, which leaves its lock, the landing becomes whole", async () => {
    // A filter that kills the git that runs it; the shell between them is git's child.
    git("config", "filter.fatal.smudge", "kill -9 $PPID");
    writeFileSync(at(".git/info/attributes"), "new/x.txt filter=fatal\n");
    await landAndDie(await numberOfWrite(), "during");
    // The gits outlive the app until they have come so far.
    await expect.poll(locks, { timeout: 20_000 }).toEqual(["index.lock"]);
    git("config", "--unset", "filter.fatal.smudge");
    // Elsewhere nobody can say that no git holds it, so it is left to the person.
    if (process.platform !== "linux") rmSync(at(".git/index.lock"));
    expect([await recover(), locks(), outcome()]).toEqual([["finishable", "landed"], [], whole()]);
  });
});
