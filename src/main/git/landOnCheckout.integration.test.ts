// Landing on a branch that somebody has checked out: what it moves, what stops it, and what it leaves. With real git.

import {
  chmodSync,
  existsSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import { commitAside, contentOf, lookAt } from "../../../test/support/userCheckout.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
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

/** A commit over `old` with these files (`null`: gone). */
const change = (contents: Record<string, string | null>, parent: Oid = old) =>
  commitAside(temp.folder, join(temp.outside, "aside"), parent, contents);
const land = (next: Oid, checkout = temp.folder): Promise<CheckoutLanding> =>
  landOnCheckout(join(temp.outside, "data"), repo, { ref, old, next, checkout, reason: "coppice: land c1" }, [1, 1]);
const look = () => lookAt(temp.folder);
const codeOf = (landing: CheckoutLanding) => (landing.kind === "refused" ? landing.code : landing.kind);

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

  test("[B01] [B17] leaves unrelated dirty, staged, deleted, touched, renamed and untracked files as they are, to the inode", async () => {
    write({ "b.txt": "dirty\n", "staged.txt": "s\n", "untracked.txt": "u\n", "noise.log": "l\n", "wip.txt": "w\n" });
    temp.git("add", "staged.txt");
    temp.git("add", "-N", "wip.txt");
    temp.git("mv", "run.sh", "go.sh");
    rmSync(at("dir/c.txt"));
    utimesSync(at("link"), 1, 1);
    temp.git("update-index", "--assume-unchanged", ".gitignore");
    const [before, status] = [look(), temp.git("status", "--porcelain")];
    const landing = await land(change({ "a.txt": "agent\n" }));
    const after = look();
    const rest = (state: typeof before) => [...state.files].filter(([path]) => path !== "a.txt");
    expect([landing, rest(after), read("a.txt"), temp.git("status", "--porcelain")]).toEqual([
      { kind: "landed" },
      rest(before),
      "agent\n",
      status,
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

  test("[A14] runs none of the user's hooks and applies their line ends", async () => {
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

describe("locks", () => {
  test("[A19] a held index is waited for, then named with its age, and left alone", async () => {
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

test("[B10] a filter that fails half way leaves no file, folder or index entry changed", async () => {
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
    const { files, ...rest } = look();
    // What was put back is another inode with the same bytes, mode and time.
    return { ...rest, files: [...files].map(([path, file]) => [path, file.replace(/^(\S+ \S+) \S+/, "$1")]) };
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
  const contents = ({ files }: typeof before) => [...files].map(([path, file]) => [path, contentOf(file)]);
  rmSync(at(".git/index.lock"));
  expect([codeOf(landing), contents(after), temp.git("rev-parse", "main"), temp.git("status", "--porcelain")]).toEqual([
    "INDEX_LOCKED",
    contents(before),
    old,
    "",
  ]);
});
