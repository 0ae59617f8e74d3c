// Landing on a branch that somebody has checked out: what it moves, what stops it, and what it leaves. With real git.

import {
  chmodSync,
  existsSync,
  lstatSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/events.ts";
import type { CheckoutLanding, GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";
import { landOnCheckout } from "./landOnCheckout.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let old: Oid;

const ref = "refs/heads/main";
const files = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  "run.sh": "#!/bin/sh\n",
  ".gitignore": "*.log\n.env\n",
};
const at = (path: string) => join(temp.folder, path);
const read = (path: string) => readFileSync(at(path), "utf8");
const write = (contents: Record<string, string>) => temp.write(contents);

/** A commit over `old` with these files (`null`: gone), made through an index aside; nothing of the checkout moves. */
function change(contents: Record<string, string | null>, parent: string = old): Oid {
  const env = { GIT_INDEX_FILE: join(temp.outside, "aside") };
  const run = (args: readonly string[], input?: string) =>
    runGit(temp.folder, args, input === undefined ? { env } : { env, input })
      .toString("utf8")
      .trim();
  run(["read-tree", parent]);
  for (const [path, content] of Object.entries(contents)) {
    if (content === null) run(["update-index", "--force-remove", path]);
    else
      run([
        "update-index",
        "--add",
        "--replace",
        "--cacheinfo",
        `100644,${run(["hash-object", "-w", "--stdin"], content)},${path}`,
      ]);
  }
  return run(["commit-tree", run(["write-tree"]), "-p", parent, "-m", "landed"]) as Oid;
}
const land = (next: Oid, checkout = temp.folder): Promise<CheckoutLanding> =>
  landOnCheckout(join(temp.outside, "data"), repo, { ref, old, next, checkout, reason: "coppice: land c1" }, [1, 1]);
/** Everything that a landing may not change unasked. */
const look = () => ({
  files: readdirSync(temp.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !join(entry.parentPath, entry.name).startsWith(at(".git/")))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => {
      const { mode, mtimeNs, ino } = lstatSync(path, { bigint: true });
      return [
        path,
        mode,
        mtimeNs,
        ino,
        lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "latin1"),
      ];
    }),
  git: readdirSync(at(".git")).toSorted(),
  told: [
    ["ls-files", "-s", "-t"],
    ["status", "--porcelain"],
    ["stash", "list"],
    ["for-each-ref"],
    ["worktree", "list"],
  ].map((args) => temp.git(...args)),
});
const codeOf = (landing: CheckoutLanding) => (landing.kind === "refused" ? landing.code : landing.kind);
const pathsOf = (landing: CheckoutLanding) => (landing.kind === "refused" ? landing.paths : undefined);

beforeEach(async () => {
  temp = createTempRepository(files);
  chmodSync(at("run.sh"), 0o755);
  symlinkSync("a.txt", at("link"));
  temp.commitAll("more");
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
  old = opened.value.head;
});
afterEach(() => temp.cleanup());

describe("a landing", () => {
  test("brings branch, index and files along, with added, changed, deleted and replaced paths, and says so in both reflogs", async () => {
    const next = change({
      "a.txt": "agent\n",
      "b.txt": null,
      "new/deep/x.txt": "x\n",
      "dir/c.txt": null,
      dir: "now a file\n",
      link: null,
      "link/in": "i\n",
    });
    const landing = await land(next);
    expect([
      landing,
      temp.git("rev-parse", "HEAD", "main"),
      temp.git("status", "--porcelain"),
      [read("a.txt"), existsSync(at("b.txt")), read("new/deep/x.txt"), read("dir"), read("link/in")],
      temp.git("reflog", "-1", "--format=%gs", "HEAD"),
      temp.git("reflog", "-1", "--format=%gs", "main"),
      readdirSync(at(".git")).filter((name) => name.endsWith(".lock")),
    ]).toEqual([
      { kind: "landed" },
      `${next}\n${next}`,
      "",
      ["agent\n", false, "x\n", "now a file\n", "i\n"],
      "coppice: land c1",
      "coppice: land c1",
      [],
    ]);
  });

  test("leaves unrelated dirty, staged, deleted, touched, renamed and untracked files as they are, to the inode", async () => {
    write({ "b.txt": "dirty\n", "staged.txt": "s\n", "untracked.txt": "u\n", "noise.log": "l\n", "wip.txt": "w\n" });
    temp.git("add", "staged.txt");
    temp.git("add", "-N", "wip.txt");
    temp.git("mv", "run.sh", "go.sh");
    rmSync(at("dir/c.txt"));
    utimesSync(at("link"), 1, 1);
    temp.git("update-index", "--assume-unchanged", ".gitignore");
    const before = look();
    const landing = await land(change({ "a.txt": "agent\n" }));
    const after = look();
    const rest = (state: typeof before) => state.files.filter(([path]) => path !== at("a.txt"));
    expect([landing, rest(after), read("a.txt"), temp.git("status", "--porcelain")]).toEqual([
      { kind: "landed" },
      rest(before),
      "agent\n",
      before.told[1],
    ]);
  });

  test("takes a file that was touched, and not one bit of which was changed, for unchanged", async () => {
    utimesSync(at("a.txt"), 1, 1);
    expect([await land(change({ "a.txt": "agent\n" })), read("a.txt")]).toEqual([{ kind: "landed" }, "agent\n"]);
  });

  test("works in the linked worktree that was opened, and in one of the user's beside it", async () => {
    const linked = join(temp.outside, "linked");
    temp.git("worktree", "add", "--quiet", "-b", "side", linked);
    writeFileSync(join(linked, "b.txt"), "dirty\n");
    const next = change({ "a.txt": "agent\n" });
    const opened = await port.openRepository(linked);
    const facts = opened.ok ? [opened.value.facts, repo] : [];
    const landings = [];
    for (const one of facts) {
      temp.git("update-ref", "refs/heads/side", old);
      runGit(linked, ["read-tree", "--reset", "-u", old]);
      writeFileSync(join(linked, "b.txt"), "dirty\n");
      landings.push(await port.landOnCheckout(one, { ref: "refs/heads/side", old, next, checkout: linked }));
    }
    expect([
      landings,
      readFileSync(join(linked, "a.txt"), "utf8"),
      runGit(linked, ["status", "--porcelain"]).toString(),
      read("a.txt"),
    ]).toEqual([[{ kind: "landed" }, { kind: "landed" }], "agent\n", " M b.txt\n", "a\n"]);
  });

  test("runs none of the user's hooks and applies their line ends", async () => {
    temp.git("config", "core.autocrlf", "true");
    const next = change({ "a.txt": "1\n2\n" });
    for (const hook of ["post-checkout", "post-merge", "reference-transaction", "post-index-change"]) {
      write({ [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${join(temp.outside, "ran")}\n` });
      chmodSync(at(`.git/hooks/${hook}`), 0o755);
    }
    await land(next);
    expect([read("a.txt"), existsSync(join(temp.outside, "ran"))]).toEqual(["1\r\n2\r\n", false]);
  });

  test("leaves out what the user's sparse checkout leaves out", async () => {
    temp.git("sparse-checkout", "set", "--no-cone", "/a.txt");
    const landing = await land(change({ "a.txt": "agent\n", "b.txt": "agent\n" }));
    expect([landing, read("a.txt"), existsSync(at("b.txt")), temp.git("status", "--porcelain")]).toEqual([
      { kind: "landed" },
      "agent\n",
      false,
      "",
    ]);
  });

  test("keeps what the user has staged when it is what lands", async () => {
    write({ "a.txt": "agent\n" });
    temp.git("add", "a.txt");
    expect([await land(change({ "a.txt": "agent\n" })), temp.git("status", "--porcelain")]).toEqual([
      { kind: "landed" },
      "",
    ]);
  });
});

describe("a refusal leaves everything as it is and names the paths:", () => {
  const stops: Record<
    string,
    { prepare(): void; contents: Record<string, string | null>; code: string; paths?: readonly string[] }
  > = {
    "a file edited": {
      prepare: () => write({ "a.txt": "mine\n" }),
      contents: { "a.txt": "agent\n", "b.txt": "x\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file edited and staged": {
      prepare: () => {
        write({ "a.txt": "mine\n" });
        temp.git("add", "a.txt");
      },
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file deleted, though not staged": {
      prepare: () => rmSync(at("a.txt")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file deleted and staged": {
      prepare: () => void temp.git("rm", "--quiet", "a.txt"),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file kept on disk but no longer tracked": {
      prepare: () => void temp.git("rm", "--cached", "--quiet", "a.txt"),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file renamed": {
      prepare: () => renameSync(at("a.txt"), at("z.txt")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file made executable": {
      prepare: () => chmodSync(at("a.txt"), 0o755),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file to be deleted edited": {
      prepare: () => write({ "b.txt": "mine\n" }),
      contents: { "b.txt": null },
      code: "LOCAL_CHANGES",
      paths: ["b.txt"],
    },
    "an edited file hidden by a flag": {
      prepare: () => {
        temp.git("update-index", "--assume-unchanged", "a.txt");
        write({ "a.txt": "mine\n" });
      },
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "an ignored file where one is added": {
      prepare: () => write({ ".env": "SECRET=real\n" }),
      contents: { ".env": "FAKE=1\n" },
      code: "PATH_OCCUPIED",
      paths: [".env"],
    },
    "an untracked file where one is added": {
      prepare: () => write({ "n.txt": "mine" }),
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "a staged new file where one is added": {
      prepare: () => {
        write({ "n.txt": "mine" });
        temp.git("add", "n.txt");
      },
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "a dangling link where a file is added": {
      prepare: () => symlinkSync("/nowhere", at("n.txt")),
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "an untracked folder with a file in it on the way": {
      prepare: () => write({ "new/mine": "m" }),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a file on the way": {
      prepare: () => write({ new: "m" }),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a link to a folder on the way": {
      prepare: () => symlinkSync(temp.outside, at("new")),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a tracked folder that became a link to its copy": {
      prepare: () => {
        renameSync(at("dir"), join(temp.outside, "dir"));
        symlinkSync(join(temp.outside, "dir"), at("dir"));
      },
      contents: { "dir/c.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["dir/c.txt"],
    },
    "an ignored file in a folder that becomes a file": {
      prepare: () => write({ "dir/x.log": "l" }),
      contents: { "dir/c.txt": null, dir: "d" },
      code: "PATH_OCCUPIED",
      paths: ["dir"],
    },
    "two names that are one where case is ignored": {
      prepare: () => void temp.git("config", "core.ignoreCase", "true"),
      contents: { "New.txt": "1", "new.txt": "2" },
      code: "PATH_OCCUPIED",
      paths: ["New.txt", "new.txt"],
    },
    "an index that is gone": {
      prepare: () => rmSync(at(".git/index")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
    },
    "another branch checked out": {
      prepare: () => void temp.git("switch", "--quiet", "-c", "other"),
      contents: { "a.txt": "agent\n" },
      code: "NOT_CHECKED_OUT",
    },
    "a detached HEAD": {
      prepare: () => void temp.git("checkout", "--quiet", "--detach"),
      contents: { "a.txt": "agent\n" },
      code: "NOT_CHECKED_OUT",
    },
    "the branch in a second worktree": {
      prepare: () => void temp.git("worktree", "add", "--quiet", "--force", join(temp.outside, "second"), "main"),
      contents: { "a.txt": "agent\n" },
      code: "CHECKED_OUT_TWICE",
    },
    "a bisect": {
      prepare: () => void temp.git("bisect", "start"),
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a merge": {
      prepare: () => {
        temp.git("branch", "side", change({ "b.txt": "side\n" }));
        temp.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a revert": {
      prepare: () => void temp.git("revert", "--no-commit", "HEAD"),
      contents: { "b.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a cherry-pick with a conflict": {
      prepare: () => {
        const side = change({ "b.txt": "side\n" }, change({ "b.txt": "before\n" }));
        expect(() => temp.git("cherry-pick", side)).toThrow("could not apply");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a rebase of the branch": {
      prepare: () => {
        temp.git("branch", "side", change({ "b.txt": "side\n" }));
        write({ "b.txt": "ours\n" });
        temp.git("commit", "--quiet", "-am", "ours");
        expect(() => temp.git("rebase", "side")).toThrow("could not apply");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "conflicts in the index alone, as a stash leaves them": {
      prepare: () => {
        const blob = temp.git("rev-parse", "HEAD:b.txt");
        const lines = [`0 ${"0".repeat(40)}\tb.txt`, `100644 ${blob} 1\tb.txt`, `100644 ${blob} 2\tb.txt`, ""];
        runGit(temp.folder, ["update-index", "--index-info"], { input: lines.join("\n") });
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
      paths: ["b.txt"],
    },
  };

  test.each(Object.entries(stops))("%s", async (_, { prepare, contents, code, paths }) => {
    const next = change(contents);
    prepare();
    const before = look();
    const landing = await land(next);
    expect([codeOf(landing), pathsOf(landing), look()]).toEqual([code, paths, before]);
  });
});

describe("locks", () => {
  test("a held index is waited for, then named with its age, and left alone", async () => {
    writeFileSync(at(".git/index.lock"), "");
    utimesSync(at(".git/index.lock"), Date.now() / 1000 - 90, Date.now() / 1000 - 90);
    const before = look();
    const landing = await land(change({ "a.txt": "agent\n" }));
    expect([landing, look()]).toEqual([
      { kind: "refused", code: "INDEX_LOCKED", sentence: expect.stringMatching(/index\.lock, since 9\d s\. Wait/) },
      before,
    ]);
  });

  test("an index that is let go in time is no hindrance", async () => {
    writeFileSync(at(".git/index.lock"), "");
    const next = change({ "a.txt": "agent\n" });
    const order = { ref, old, next, checkout: temp.folder };
    // The attempt that finds the lock held is what releases it: the next one follows a wait later.
    const waits = new Proxy([1, 1], {
      get(target, key, self: unknown) {
        if (key === "0") rmSync(at(".git/index.lock"));
        return Reflect.get(target, key, self) as unknown;
      },
    });
    expect([await landOnCheckout(join(temp.outside, "data"), repo, order, waits), read("a.txt")]).toEqual([
      { kind: "landed" },
      "agent\n",
    ]);
  });

  test("a held branch is named", async () => {
    writeFileSync(at(".git/refs/heads/main.lock"), "");
    const before = look();
    const landing = await land(change({ "a.txt": "agent\n" }));
    expect([landing, look()]).toEqual([
      { kind: "refused", code: "BRANCH_LOCKED", sentence: expect.stringContaining("refs/heads/main.lock") },
      before,
    ]);
  });

  test("a branch that has moved on is moved", async () => {
    const next = change({ "a.txt": "agent\n" });
    write({ "b.txt": "mine\n" });
    temp.git("commit", "--quiet", "-am", "mine");
    const before = look();
    expect([await land(next), look()]).toEqual([{ kind: "moved" }, before]);
  });
});

test("a filter that fails half way leaves no file, folder or index entry changed", async () => {
  write({ ".gitattributes": "*.big filter=big\n", "z.big": "z\n" });
  temp.git("config", "filter.big.clean", "cat");
  old = temp.commitAll("attributes") as Oid;
  temp.git("config", "filter.big.smudge", "grep -v broken");
  temp.git("config", "filter.big.required", "true");
  chmodSync(at("a.txt"), 0o600);
  const next = change({
    "a.txt": "agent\n",
    "b.txt": null,
    "m/n/new.txt": "n\n",
    link: "file\n",
    "run.sh": "agent\n",
    "dir/c.txt": null,
    dir: "d\n",
    "z.big": "broken\n",
  });
  for (const path of ["a.txt", "b.txt", "dir/c.txt", "link", "run.sh", "z.big"]) lutimesSync(at(path), 10_000, 20_000);
  const stable = () => {
    const { files, git, told } = look();
    // What was put back is another inode with the same bytes, mode and time.
    return { files: files.map(([path, mode, mtime, , content]) => [path, mode, mtime, content]), git, told };
  };
  const before = stable();
  const landing = await land(next);
  expect([codeOf(landing), existsSync(at("m")), stable()]).toEqual(["CHECKOUT_FAILED", false, before]);
});

test("a git that is killed while it writes leaves its lock, which is named, and no file changed", async () => {
  const next = change({ "a.txt": "agent\n", "b.txt": "fatal\n", "new/x.txt": "x\n" });
  write({ ".git/info/attributes": "b.txt filter=fatal\n" });
  // The shell that runs a filter is git's child.
  temp.git("config", "filter.fatal.smudge", "kill -9 $PPID");
  const before = look();
  const landing = await land(next);
  const after = look();
  rmSync(at(".git/index.lock"));
  expect([
    codeOf(landing),
    after.files.map(([path, , , , content]) => [path, content]),
    temp.git("rev-parse", "main"),
    temp.git("status", "--porcelain"),
  ]).toEqual(["INDEX_LOCKED", before.files.map(([path, , , , content]) => [path, content]), old, ""]);
});
