// Any subset of hunks gives what `git apply` makes of those hunks on the base, byte for byte, in any order of choosing.

import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/events.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

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
        expect([
          await compose(numbers),
          await compose([]),
          await compose(chosen),
          await compose(chosen.toReversed()),
        ]).toEqual([
          await port.treeOf(repo, next),
          await port.treeOf(repo, base),
          applySelected(base, next, new Set(chosen)),
          applySelected(base, next, new Set(chosen)),
        ]);
      }),
      { numRuns: 25 },
    );
    expect(seen.several).toBeGreaterThan(3);
  },
);
