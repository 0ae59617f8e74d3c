// Repositories with a submodule that the person has filled: what an agent leaves in it is told, and nothing of theirs goes. With real git.

import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort, WorkPlace } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

const ref = "refs/heads/main";
let library: TempRepository;
let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let base: Oid;
let place: WorkPlace;

const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const inPlace = (path: string) => join(place.path, path);
const snapshot = async () => need(await port.snapshot(repo, place, base, "refs/coppice/r/subagent-1/1", "work"));

beforeEach(async () => {
  library = createTempRepository({ "lib.txt": "lib\n", ".gitignore": "built\n" });
  temp = createTempRepository();
  temp.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder, "sub");
  temp.commitAll("with a submodule");
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = need(await port.openRepository(temp.folder));
  [repo, base] = [opened.facts, opened.head];
  place = need(await port.addWorktree(repo, join(temp.outside, "places", "w"), base));
});
afterEach(() => {
  temp.cleanup();
  library.cleanup();
});

const filled = () => {
  rmSync(inPlace("sub"), { recursive: true });
  runGit(place.path, ["clone", "--quiet", library.folder, "sub"]);
};
const cases: readonly (readonly [what: string, leftOut: readonly string[], act: () => void])[] = [
  ["an empty folder", [], () => undefined],
  ["one filled as recorded, with what it ignores", [], () => (filled(), writeFileSync(inPlace("sub/built"), "x"))],
  ["a file in the empty folder", ["sub/"], () => writeFileSync(inPlace("sub/mine.txt"), "mine\n")],
  ["a file beside those of one filled", ["sub/"], () => (filled(), writeFileSync(inPlace("sub/mine.txt"), "mine\n"))],
  ["an edit in one filled", ["sub/"], () => (filled(), writeFileSync(inPlace("sub/lib.txt"), "edited\n"))],
  [
    "a commit that nobody else has",
    ["sub/"],
    () => (
      filled(),
      runGit(inPlace("sub"), [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@x",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "of its own",
      ])
    ),
  ],
];

test.each(cases)("[B22] %s leaves out %j", async (_, leftOut, act) => {
  act();
  expect((await snapshot()).leftOut).toEqual(leftOut);
});

test.each<[string, () => void]>([
  ["a file", () => writeFileSync(inPlace("sub"), "file\n")],
  ["a link", () => symlinkSync("a.txt", inPlace("sub"))],
])("[B04] a submodule in whose place %s comes stops the landing until it is out of the way", async (_, put) => {
  rmSync(inPlace("sub"), { recursive: true });
  put();
  writeFileSync(join(temp.folder, "sub", "own.txt"), "not committed\n");
  const { tree } = await snapshot();
  const next = await port.commitTree(repo, tree, base, { name: "Ada", email: "ada@example.test" }, "land", 1_000);
  const land = () => port.landOnCheckout(repo, { ref, old: base, next, checkout: temp.folder });
  expect(await land()).toMatchObject({ kind: "refused", code: "PATH_OCCUPIED", paths: ["sub"] });
  expect([readdirSync(join(temp.folder, "sub")).includes("own.txt"), temp.git("rev-parse", ref)]).toEqual([true, base]);
  rmSync(join(temp.folder, "sub"), { recursive: true });
  expect(await land()).toEqual({ kind: "landed" });
});

test("a rename by case alone is one, whatever the settings say of the person's file system", async () => {
  temp.git("config", "core.ignoreCase", "true");
  const isOne = existsSync(inPlace("A.TXT"));
  rmSync(inPlace("a.txt"));
  mkdirSync(inPlace("d"));
  writeFileSync(inPlace("A.TXT"), "one\ntwo\nthree\n");
  const { commit } = await snapshot();
  const changes = await port.changesBetween(repo, base, commit);
  expect(changes.map(({ change, from, path }) => [change, from, path])).toEqual(
    isOne ? [] : [["renamed", "a.txt", "A.TXT"]],
  );
});
