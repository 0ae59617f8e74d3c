// Both sides and the base of a conflict, with real git.

import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
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

test("each place has the target's lines, the proposed ones and those of the base, whatever the lines look like", async () => {
  const commit = commitOver({ "a.txt": body({ 3: ">>>>>>> x", 20: "proposed", 29: "quiet" }) });
  const tip = commitOver({ "a.txt": body({ 1: "one\nmore", 3: "=======", 20: "target" }) });
  expect(await port.conflictsIn(repo, { base, tip, commit }, "a.txt")).toEqual({
    kind: "lines",
    regions: [
      { base: ["line 1", "line 2", "line 3"].slice(2), target: ["======="], proposed: [">>>>>>> x"], targetStart: 4 },
      { base: ["line 20"], target: ["target"], proposed: ["proposed"], targetStart: 21 },
    ],
  });
});

test("what merges has none, and what is gone, binary or unknown can only be told as a whole", async () => {
  const commit = commitOver({ "a.txt": body({ 3: "x" }), "b.bin": Buffer.of(0, 2) });
  temp.git("reset", "--quiet", "--hard", base);
  temp.git("rm", "--quiet", "gone.txt");
  const tip = temp.commitAll("removed") as Oid;
  const sides = { base, tip, commit };
  const kinds = await Promise.all(
    ["a.txt", "b.bin", "gone.txt", "nowhere"].map((path) => port.conflictsIn(repo, sides, path)),
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(["none", "whole", "whole", "whole"]);
});
