// Files that Git LFS keeps, with real git and a filter that cleans and smudges as Git LFS does: content in, pointers out.

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import { isLfsPointer } from "../domain/lfsPointer.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort, WorkPlace } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

/** What `git lfs clean` and `git lfs smudge` do, with a folder for a server. */
const filter = `#!/bin/sh
store="$(dirname "$0")/store"
mkdir -p "$store"
whole="$store/in.$$"
cat > "$whole"
first=$(head -n 1 "$whole")
case "$1" in
clean)
  if [ "$first" = "version https://git-lfs.github.com/spec/v1" ]; then cat "$whole"; else
    oid=$(sha256sum "$whole" | cut -d " " -f 1)
    printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$oid" "$(wc -c < "$whole" | tr -d " ")"
    cp "$whole" "$store/$oid"
  fi ;;
smudge)
  oid=$(sed -n 's/^oid sha256://p' "$whole")
  if [ "$GIT_LFS_SKIP_SMUDGE" = 1 ] || [ -z "$oid" ]; then cat "$whole"; else cat "$store/$oid"; fi ;;
esac
rm -f "$whole"
`;

const content = (mark: string) => `${mark}\n${"0123456789abcdef".repeat(64)}\n`;
const attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let root: Oid;
let place: WorkPlace;

const at = (path: string) => join(place.path, path);
const shoot = async (number: number) => {
  const shot = await port.snapshot(repo, place, root, `refs/coppice/r/subagent-1/${number}`, "work of subagent-1");
  if (!shot.ok) throw new Error(shot.error.message);
  return shot.value;
};

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": "a\n" });
  const script = join(temp.outside, "lfs");
  writeFileSync(script, filter);
  chmodSync(script, 0o755);
  for (const kind of ["clean", "smudge"]) temp.git("config", `filter.lfs.${kind}`, `'${script}' ${kind} %f`);
  temp.git("config", "filter.lfs.required", "true");
  temp.write({
    "assets/.gitattributes": attributes,
    "assets/one.bin": content("one"),
    "assets/two.bin": content("two"),
  });
  root = temp.commitAll("large files") as Oid;
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
  const made = await port.addWorktree(repo, join(temp.outside, "data/places/one"), root);
  if (!made.ok) throw new Error(made.error.message);
  place = made.value;
});
afterEach(() => temp.cleanup());

test("[A11] a worktree holds pointers and says how many; a pointer that is touched, or filled in, is no change", async () => {
  const pointer = readFileSync(at("assets/one.bin"), "utf8");
  const user = readFileSync(join(temp.folder, "assets/one.bin"), "utf8");
  expect([isLfsPointer(pointer), user, await port.countPointers(repo, place)]).toEqual([true, content("one"), 2]);

  writeFileSync(at("assets/one.bin"), pointer);
  // As `git lfs pull` in the worktree would.
  writeFileSync(at("assets/two.bin"), content("two"));
  expect(await shoot(1)).toMatchObject({ isEmpty: true, leftOut: [] });
});

test("[A11] other content is one change without lines, and lands as content in a checkout that has content", async () => {
  writeFileSync(at("assets/one.bin"), content("eins"));
  const { commit } = await shoot(1);
  expect(isLfsPointer(temp.git("show", `${commit}:assets/one.bin`) + "\n")).toBe(true);
  expect(await port.changesBetween(repo, root, commit)).toEqual([
    {
      path: "assets/one.bin",
      change: "binary",
      added: 0,
      removed: 0,
      hunks: [{ number: 1, oldStart: 0, oldLines: 0, newStart: 0, newLines: 0 }],
    },
  ]);
  const landing = await port.landOnCheckout(repo, {
    ref: "refs/heads/main",
    old: root,
    next: commit,
    checkout: repo.topLevel,
  });
  expect([
    landing,
    readFileSync(join(temp.folder, "assets/one.bin"), "utf8"),
    temp.git("status", "--porcelain"),
  ]).toEqual([{ kind: "landed" }, content("eins"), ""]);
});

test("a repository without Git LFS has no pointers", async () => {
  const plain = createTempRepository({ "a.bin": "content\n" });
  const opened = await port.openRepository(plain.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { facts, head } = opened.value;
  const made = await port.addWorktree(facts, join(temp.outside, "data/places/two"), head);
  if (!made.ok) throw new Error(made.error.message);
  expect(await port.countPointers(facts, made.value)).toBe(0);
  plain.cleanup();
});
