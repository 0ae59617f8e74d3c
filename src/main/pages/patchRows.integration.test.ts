// Rows of diffs as git itself writes them.

import { symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import type { Oid } from "../../shared/contract/ids.ts";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import { createGit } from "../git/createGit.ts";
import { rowsByFile } from "./patchRows.ts";

const repositories: TempRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.cleanup();
});

/** The rows of every file that `change` makes, as `file hunk oldLine newLine mark text`. */
async function rowsAfter(
  files: Readonly<Record<string, string | Uint8Array>>,
  change: (repository: TempRepository) => void,
) {
  const repository = createTempRepository(files);
  repositories.push(repository);
  const base = repository.git("rev-parse", "HEAD") as Oid;
  change(repository);
  const commit = repository.commitAll("change") as Oid;
  const git = createGit({ dataFolder: repository.outside });
  const opened = await git.openRepository(repository.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { facts } = opened.value;
  const changes = await git.changesBetween(facts, base, commit);
  const found = rowsByFile(await git.patchBetween(facts, base, commit, 1_000_000), changes);
  const marks = { context: " ", added: "+", removed: "-", noNewline: "\\" };
  return [...found].flatMap(([path, { rows, withoutLines, oldMode, newMode }]) => [
    ...(withoutLines === null ? [] : [`${path} ${withoutLines}`]),
    ...(oldMode === newMode ? [] : [`${path} ${oldMode ?? "nothing"} to ${newMode ?? "nothing"}`]),
    ...rows.map(
      ({ hunk, oldLine, newLine, kind, text, within }) =>
        `${path} ${hunk} ${oldLine ?? "."} ${newLine ?? "."} ${marks[kind]}${text}${within === undefined ? "" : ` (${within})`}`,
    ),
  ]);
}

test("each hunk has its number and what it stands below, each line its place, and content that looks like a header stays content", async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
  const rows = await rowsAfter({ "a.txt": `${lines.join("\n")}\n` }, ({ write }) => {
    write({ "a.txt": ["@@ -1 +1 @@", ...lines.slice(1, 19), "diff --git a/x b/x"].join("\n") });
  });
  expect(rows).toEqual([
    "a.txt 1 1 . -line 1",
    "a.txt 1 . 1 +@@ -1 +1 @@",
    "a.txt 1 2 2  line 2",
    "a.txt 1 3 3  line 3",
    "a.txt 1 4 4  line 4",
    "a.txt 2 17 17  line 17 (line 16)",
    "a.txt 2 18 18  line 18",
    "a.txt 2 19 19  line 19",
    "a.txt 2 20 . -line 20",
    "a.txt 2 . 20 +diff --git a/x b/x",
    "a.txt 2 . . \\No newline at end of file",
  ]);
});

test("files of every kind keep to themselves: added, deleted, binary, only a mode, turned into a link", async () => {
  const rows = await rowsAfter(
    {
      "binary.bin": new Uint8Array([0, 1]),
      "gone.txt": "gone\n",
      "link.txt": "text\n",
      "mode.sh": "echo\n",
      "z.txt": "z\n",
    },
    ({ folder, write, git }) => {
      write({ "added.txt": "new\n", "binary.bin": new Uint8Array([0, 2]), "z.txt": "Z\n" });
      git("rm", "--quiet", "gone.txt");
      git("update-index", "--chmod=+x", "mode.sh");
      git("config", "core.fileMode", "false");
      unlinkSync(join(folder, "link.txt"));
      symlinkSync("z.txt", join(folder, "link.txt"));
    },
  );
  expect(rows).toEqual([
    "added.txt nothing to 100644",
    "added.txt 1 . 1 +new",
    "binary.bin binary",
    "gone.txt 100644 to nothing",
    "gone.txt 1 1 . -gone",
    "link.txt 100644 to 120000",
    "link.txt 1 1 . -text",
    "link.txt 1 . 1 +z.txt",
    "link.txt 1 . . \\No newline at end of file",
    "mode.sh empty",
    "mode.sh 100644 to 100755",
    "z.txt 1 1 . -z",
    "z.txt 1 . 1 +Z",
  ]);
});

test("a file behind the cut of a patch says that it is too long", () => {
  const file = { path: "a.txt", change: "modified", added: 1, removed: 1, hunks: [] } as const;
  expect(rowsByFile("... cut here\n", [file]).get("a.txt")).toMatchObject({ rows: [], withoutLines: "tooLong" });
});

test("[A11] pointers of Git LFS are no lines", async () => {
  const pointer = (size: number) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${String(size % 10).repeat(64)}\nsize ${size}\n`;
  const rows = await rowsAfter({ "a.bin": pointer(12), "b.txt": "b\n" }, ({ write }) => {
    write({ "a.bin": pointer(13), "new.bin": pointer(14), "b.txt": `b\n${pointer(15)}` });
  });
  expect(rows.filter((row) => !row.startsWith("b.txt"))).toEqual([
    "a.bin binary",
    "new.bin binary",
    "new.bin nothing to 100644",
  ]);
  expect(rows.filter((row) => row.startsWith("b.txt"))).toHaveLength(4);
});
