// Both sides and the base of a conflict, with real git.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let base: Oid;

const body = (edits: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, line) => `${edits[line + 1] ?? `line ${line + 1}`}\n`).join("");

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": body(), "b.bin": Buffer.of(0, 1), "gone.txt": "g\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  [repo, base] = [opened.value.facts, opened.value.head];
});
afterEach(() => temp.cleanup());

function commitOver(files: Record<string, string | Uint8Array>): Oid {
  temp.git("reset", "--quiet", "--hard", base);
  temp.write(files);
  return temp.commitAll("side") as Oid;
}

/** The change `commit` proposes, to land on `tip`. */
const meeting = async (commit: Oid, tip: Oid) => ({ base, target: tip, tree: await port.treeOf(repo, commit) });
const around = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

test("each place has the target's lines, the proposed ones and those of the base, whatever the lines look like", async () => {
  const commit = commitOver({ "a.txt": body({ 3: ">>>>>>> x", 20: "proposed", 29: "quiet" }) });
  const tip = commitOver({ "a.txt": body({ 1: "one\nmore", 3: "=======", 20: "target" }) });
  expect(await port.conflictsIn(repo, await meeting(commit, tip), "a.txt")).toMatchObject({
    kind: "lines",
    target: temp.git("rev-parse", `${tip}:a.txt`),
    proposed: temp.git("rev-parse", `${commit}:a.txt`),
    regions: [
      {
        line: 4,
        before: ["one", "more", "line 2"],
        base: ["line 3"],
        target: ["======="],
        proposed: [">>>>>>> x"],
        after: around(4, 6),
      },
      {
        line: 21,
        before: around(17, 19),
        base: ["line 20"],
        target: ["target"],
        proposed: ["proposed"],
        after: around(21, 23),
      },
    ].map((region) => ({ ...region, endsWithLine: true })),
  });
});

test("what merges has none, and what is gone, binary or unknown can only be told as a whole", async () => {
  const commit = commitOver({ "a.txt": body({ 3: "x" }), "b.bin": Buffer.of(0, 2), "gone.txt": "h\n" });
  temp.git("reset", "--quiet", "--hard", base);
  temp.git("rm", "--quiet", "gone.txt");
  temp.write({ "b.bin": Buffer.of(0, 3) });
  const tip = temp.commitAll("removed") as Oid;
  const sides = await meeting(commit, tip);
  const found = await Promise.all(
    ["a.txt", "b.bin", "gone.txt", "nowhere"].map((path) => port.conflictsIn(repo, sides, path)),
  );
  expect(found.map(({ kind }) => kind)).toEqual(["none", "whole", "whole", "none"]);
  expect(found[2]).toMatchObject({ target: null, proposed: temp.git("rev-parse", `${commit}:gone.txt`) });

  const [, binary, gone] = found;
  const whole = (path: string, of: typeof binary, pick: "target" | "proposed" | "both") =>
    ({ path, target: of?.target ?? null, proposed: of?.proposed ?? null, picks: [pick] }) as const;
  const merge = (...picks: readonly ("target" | "proposed" | "both")[]) =>
    port.mergeResolved(repo, sides, [
      whole("b.bin", binary, picks[0] ?? "target"),
      whole("gone.txt", gone, picks[1] ?? "target"),
    ]);
  const [dropped, kept, refused] = [await merge("target"), await merge("proposed", "proposed"), await merge("both")];
  const names = (merged: typeof dropped) =>
    merged.kind === "clean" ? temp.git("ls-tree", "--name-only", merged.tree).split("\n") : merged;
  expect([names(dropped), names(kept), names(refused)]).toEqual([
    ["a.txt", "b.bin"],
    ["a.txt", "b.bin", "gone.txt"],
    { kind: "conflict", paths: ["b.bin"], outdated: ["b.bin"] },
  ]);
});

test("a resolution lands at each place just what was picked, line ends included, and the rest as git merges it", async () => {
  const ended = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n").slice(0, -2));
  temp.write({ "a.txt": ended(body()) });
  base = temp.commitAll("line ends") as Oid;
  const commit = commitOver({ "a.txt": ended(body({ 3: "p3", 12: "p12", 20: "p20", 30: "p30" })), "new.txt": "n\n" });
  const tip = commitOver({ "a.txt": ended(body({ 3: "t3", 20: "t20", 25: "t25", 30: "t30" })) });
  const sides = await meeting(commit, tip);
  const { kind, target, proposed, regions } = await port.conflictsIn(repo, sides, "a.txt");
  expect([kind, regions.map(({ endsWithLine }) => endsWithLine)]).toEqual(["lines", [true, true, false]]);
  const choice = { path: "a.txt", target, proposed, picks: ["target", { text: "own\r\n" }, "both"] } as const;
  const merged = await port.mergeResolved(repo, sides, [choice]);
  if (merged.kind !== "clean") throw new Error(`It conflicts in ${merged.paths.join(", ")}.`);
  const read = (path: string) => runGit(temp.folder, ["cat-file", "blob", `${merged.tree}:${path}`]).toString();
  expect([read("a.txt"), read("new.txt")]).toEqual([
    ended(body({ 3: "t3", 12: "p12", 20: "own", 25: "t25", 30: "t30\np30" })).toString(),
    "n\n",
  ]);

  // Another tip: what was chosen was chosen between other lines.
  const later = commitOver({ "a.txt": ended(body({ 3: "t3", 20: "t20 again" })) });
  expect(await port.mergeResolved(repo, await meeting(commit, later), [choice])).toEqual({
    kind: "conflict",
    paths: ["a.txt"],
    outdated: ["a.txt"],
  });
  expect(await port.mergeResolved(repo, sides, [])).toEqual({ kind: "conflict", paths: ["a.txt"], outdated: [] });
});

test("what was chosen is left out of the change's name, and every other file still counts in it", async () => {
  const named = (edits: string, except: readonly string[]) =>
    port.patchId(repo, base, commitOver({ "a.txt": body({ 3: "p3" }), "gone.txt": edits }), "all", [], except);
  const [asItWas, other] = [await named("g\nh\n", ["a.txt"]), await named("g\ni\n", ["a.txt"])];
  expect(asItWas).not.toBe(other);
  expect(await named("g\nh\n", ["gone.txt"])).toBe(await named("g\ni\n", ["gone.txt"]));
});

test("[B16] a conflict that is of no file's is none that can be chosen away, also beside one that is", async () => {
  const files = ["f1", "f2", "f3", "f4"];
  temp.write(Object.fromEntries(files.map((name) => [`d/${name}`, `${name}\n`.repeat(9)])));
  base = temp.commitAll("a folder") as Oid;
  const commit = commitOver({ "d/new": "new\n" });
  const both = commitOver({ "d/new": "new\n", "gone.txt": "p\n" });
  temp.git("reset", "--quiet", "--hard", base);
  temp.write(Object.fromEntries(files.map((name, at) => [`${at < 2 ? "x" : "y"}/${name}`, `${name}\n`.repeat(9)])));
  temp.git("rm", "--quiet", "-r", "d");
  temp.write({ "gone.txt": "t\n" });
  const tip = temp.commitAll("the folder goes two ways") as Oid;
  const sides = await meeting(commit, tip);
  expect(await port.mergeResolved(repo, sides, [])).toEqual({ kind: "conflict", paths: ["d"], outdated: [] });
  // Nor is it clean for whoever only tries the merge.
  const tried = await port.tryMerges(repo, (trial) => trial.merge(sides.base, sides.target, sides.tree));
  expect(tried.paths).toEqual(["d"]);
  expect(await port.mergeTrees(repo, sides.base, sides.target, sides.tree)).toEqual({ kind: "conflict", paths: ["d"] });

  const also = await meeting(both, tip);
  const { target, proposed } = await port.conflictsIn(repo, also, "gone.txt");
  const choice = { path: "gone.txt", target, proposed, picks: ["target"] } as const;
  expect([
    await port.mergeTrees(repo, also.base, also.target, also.tree),
    await port.mergeResolved(repo, also, [choice]),
  ]).toEqual([
    { kind: "conflict", paths: ["d", "gone.txt"] },
    { kind: "conflict", paths: ["d"], outdated: [] },
  ]);
});

test.each([
  ["a folder", "x/inner", "x"],
  ["a link", "y", "y"],
])("[B16] a file that meets %s lands under no name that git made up for it", async (_, added, path) => {
  temp.write({ x: body(), y: body() });
  base = temp.commitAll("files") as Oid;
  const commit = commitOver({ [path]: body({ 3: "proposed" }) });
  temp.git("reset", "--quiet", "--hard", base);
  temp.git("rm", "--quiet", path);
  if (added === path) symlinkSync("a.txt", join(temp.folder, path));
  else temp.write({ [added]: "inner\n" });
  const sides = await meeting(commit, temp.commitAll("something else there") as Oid);
  const merged = await port.mergeTrees(repo, sides.base, sides.target, sides.tree);
  const paths = merged.kind === "clean" ? [] : merged.paths;
  expect(paths).toEqual([path, expect.stringMatching(new RegExp(`^${path}~`))]);
  const choices = await Promise.all(
    paths.map(async (one) => {
      const { kind, target, proposed } = await port.conflictsIn(repo, sides, one);
      expect(kind).toBe("none");
      return { path: one, target, proposed, picks: ["proposed"] as const };
    }),
  );
  expect(await port.mergeResolved(repo, sides, choices)).toMatchObject({ kind: "conflict" });
});
