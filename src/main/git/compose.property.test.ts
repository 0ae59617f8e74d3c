// Any subset of hunks gives what `git apply` makes of those hunks on the base, byte for byte, in any order of choosing.

import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";
import { sampleOf } from "../../../test/support/thorough.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;

beforeAll(async () => {
  temp = createTempRepository({ "f.txt": "seed\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
});
afterAll(() => temp.cleanup());

const run = (args: readonly string[], input?: Uint8Array, env: Record<string, string> = {}) =>
  runGit(temp.folder, args, input === undefined ? { env } : { env, input });

function commitOf(content: Buffer): Oid {
  const blob = run(["hash-object", "-w", "--stdin"], content).toString().trim();
  const tree = run(["mktree"], Buffer.from(`100644 blob ${blob}\tf.txt\n`))
    .toString()
    .trim();
  return run(["commit-tree", tree, "-m", "x"]).toString().trim() as Oid;
}

/** The selected hunks of git's own patch, with the new positions that they have without the others, applied to the base's tree. */
function applySelected(base: Oid, next: Oid, selected: ReadonlySet<number>): string {
  const patch = run(["diff", "--histogram", "-U3", "--full-index", base, next]).toString("latin1");
  const [head = "", ...hunks] = patch.split(/^(?=@@ )/m);
  let shift = 0;
  const chosen = hunks.flatMap((hunk, index) => {
    const [, oldLines = "1", newStart = "", newLines = "1"] =
      /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
    if (selected.has(index + 1)) return [hunk.replace(/\+\d+/, `+${Number(newStart) - shift}`)];
    shift += Number(newLines) - Number(oldLines);
    return [];
  });
  const env = { GIT_INDEX_FILE: join(temp.outside, "apply-index") };
  run(["read-tree", base], undefined, env);
  if (chosen.length > 0)
    run(["apply", "--cached", "--whitespace=nowarn", "-"], Buffer.from(head + chosen.join(""), "latin1"), env);
  return run(["write-tree"], undefined, env).toString().trim();
}

const word = fc.constantFrom(
  "a",
  "b",
  "}",
  "",
  "@@ -1 +1 @@",
  "-",
  "+x",
  "\\ No newline",
  "caf\xe9",
  "\xff\xfe",
  "tab\t",
  "\r",
);
const line = fc.tuple(word, fc.constantFrom("\n", "\n", "\r\n")).map(([text, end]) => text + end);
const file = fc.array(line, { minLength: 10, maxLength: 40 });
/** A base, and edits to it at a few places, so that several hunks are likely. */
const pair = fc
  .record({
    base: file,
    edits: fc.array(fc.record({ at: fc.nat(39), remove: fc.nat(2), insert: fc.array(line, { maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    tails: fc.tuple(fc.boolean(), fc.boolean()),
  })
  .map(({ base, edits, tails }) => {
    const next = [...base];
    for (const { at, remove, insert } of edits) next.splice(Math.min(at, next.length), remove, ...insert);
    const join = (parts: readonly string[], hasNewline: boolean) =>
      Buffer.from(hasNewline ? parts.join("") : parts.join("").replace(/\r?\n$/, ""), "latin1");
    return { base: join(base, tails[0]), next: join(next, tails[1]) };
  })
  .filter(({ base, next }) => !base.equals(next));

test(
  "[B20] a subset of hunks is what git apply makes of it, and all and none are the two sides",
  { timeout: 120_000 },
  async () => {
    const seen = { several: 0 };
    await fc.assert(
      fc.asyncProperty(pair, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), async (contents, mask) => {
        const [base, next] = [commitOf(contents.base), commitOf(contents.next)];
        const numbers = (await port.changesBetween(repo, base, next)).flatMap((change) =>
          change.hunks.map((hunk) => hunk.number),
        );
        if (numbers.length > 1) seen.several += 1;
        const chosen = numbers.filter((number) => mask[number % mask.length]);
        const compose = (selection: readonly number[]) => port.composeTree(repo, base, next, { "f.txt": selection });
        const applied = applySelected(base, next, new Set(chosen));
        expect([
          await compose(numbers),
          await compose([]),
          await compose(chosen),
          await compose(chosen.toReversed()),
        ]).toEqual([await port.treeOf(repo, next), await port.treeOf(repo, base), applied, applied]);
      }),
      { numRuns: sampleOf(50, 25) },
    );
    expect(seen.several).toBeGreaterThan(3);
  },
);

/** The whole patch of `base` and `next` with some changed lines turned down: what would be removed stays, what would come does not. */
function applyLines(base: Oid, next: Oid, isLeftOut: (hunk: number, line: number) => boolean): string {
  const patch = run(["diff", "--histogram", "-U3", "--full-index", base, next]).toString("latin1");
  const [head = "", ...hunks] = patch.split(/^(?=@@ )/m);
  const edited = hunks.map((hunk, index) => {
    const [title = "", ...lines] = hunk.split(/(?<=\n)/);
    let changed = 0;
    let isDropped = false;
    const kept = lines.flatMap((line) => {
      if (line.startsWith("\\")) return isDropped ? [] : [line];
      const isChange = line.startsWith("+") || line.startsWith("-");
      if (isChange) changed += 1;
      const isOut = isChange && isLeftOut(index + 1, changed);
      isDropped = isOut && line.startsWith("+");
      return isDropped ? [] : [isOut ? ` ${line.slice(1)}` : line];
    });
    return title + kept.join("");
  });
  const env = { GIT_INDEX_FILE: join(temp.outside, "apply-index") };
  run(["read-tree", base], undefined, env);
  const hasChange = edited.some((hunk) =>
    hunk
      .split("\n")
      .slice(1)
      .some((line) => /^[+-]/.test(line)),
  );
  const input = Buffer.from(head + edited.join(""), "latin1");
  if (hasChange) run(["apply", "--cached", "--recount", "--whitespace=nowarn", "-"], input, env);
  return run(["write-tree"], undefined, env).toString().trim();
}

test(
  "[B20] any lines of any hunks left out is what git apply makes of the patch without them",
  { timeout: 120_000 },
  async () => {
    const seen = { amended: 0 };
    // A missing newline at the end is git apply's blind spot: compose.integration says what becomes of it.
    const plain = pair.filter(({ base, next }) => base.at(-1) === 0x0a && next.at(-1) === 0x0a);
    await fc.assert(
      fc.asyncProperty(plain, fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }), async (contents, mask) => {
        const [base, next] = [commitOf(contents.base), commitOf(contents.next)];
        const [file] = await port.changesBetween(repo, base, next);
        const isLeftOut = (hunk: number, line: number) => mask[(hunk * 5 + line) % mask.length] === true;
        const changedLines = changedLineCounts(base, next);
        const amendments = (file?.hunks ?? []).map(({ number }) => {
          const lines = Array.from({ length: changedLines[number - 1] ?? 0 }, (_, index) => index + 1);
          return { path: "f.txt", hunk: number, leftOut: lines.filter((line) => isLeftOut(number, line)) };
        });
        if (amendments.some(({ leftOut }) => leftOut.length > 0)) seen.amended += 1;
        const numbers = (file?.hunks ?? []).map(({ number }) => number);
        const applied = applyLines(base, next, isLeftOut);
        expect([
          await port.composeTree(repo, base, next, { "f.txt": numbers }, amendments),
          await port.composeTree(repo, base, next, "all", amendments),
        ]).toEqual([applied, applied]);
      }),
      { numRuns: sampleOf(30, 15) },
    );
    expect(seen.amended).toBeGreaterThan(5);
  },
);

function changedLineCounts(base: Oid, next: Oid): readonly number[] {
  const patch = run(["diff", "--histogram", "-U3", base, next]).toString("latin1");
  const [, ...hunks] = patch.split(/^(?=@@ )/m);
  return hunks.map(
    (hunk) =>
      hunk
        .split("\n")
        .slice(1)
        .filter((line) => /^[+-]/.test(line)).length,
  );
}
