// Where a change and a branch changed the same lines of a file otherwise: both sides and what they come from. Reads objects only.

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { FileConflict, LineConflict } from "../engine/ports/git.ts";
import { git } from "./git.ts";
import { requireOid, showPath, splitNul } from "./names.ts";
import { gitObjects, readBlob } from "./objects.ts";
import { withTemporaryFolder } from "./scratch.ts";

const plainFile = /^100/;
/** Larger files are not merged line by line for a screen. */
const maxBytes = 8 * 1024 * 1024;

/** The places at which the file `path` of `commit` (a change to `base`) conflicts with that of `tip`. `whole` where it is not a text file on all three. */
export async function conflictsIn(
  dataFolder: string,
  repo: RepositoryFacts,
  sides: { readonly base: Oid; readonly tip: Oid; readonly commit: Oid },
  path: string,
): Promise<FileConflict> {
  const blobs = [sides.tip, sides.base, sides.commit].map((commit) => findText(repo, commit, path));
  const [target, base, proposed] = await Promise.all(blobs);
  if (!target || !base || !proposed) return { kind: "whole", regions: [] };
  const merged = await mergeFile(dataFolder, repo, [target, base, proposed]);
  const regions = merged === null ? [] : readRegions(merged);
  return { kind: merged === null ? "whole" : regions.length > 0 ? "lines" : "none", regions };
}

async function findText(repo: RepositoryFacts, commit: Oid, path: string): Promise<Buffer | null> {
  // By its shown name, as the change set has it: one that is quoted is no UTF-8, and cannot be asked for.
  const which = path.startsWith('"') ? ["-r"] : [];
  const at = path.startsWith('"') ? [] : ["--", path];
  const args = ["ls-tree", ...which, "-z", "-l", "--full-tree", requireOid(commit), ...at];
  const { stdout } = await gitObjects(repo, { args });
  const entry = splitNul(stdout).find((one) => showPath(one.subarray(one.indexOf(0x09) + 1)) === path);
  const [mode = "", , blob, size] = entry?.toString("latin1").split(/[ \t]+/) ?? [];
  if (blob === undefined || !plainFile.test(mode) || Number(size) > maxBytes) return null;
  const bytes = await readBlob(repo, requireOid(blob));
  return bytes.subarray(0, 8_000).includes(0) ? null : bytes;
}

interface Merged {
  readonly text: string;
  /** No line of a file can be this, since nobody could know it. */
  readonly label: string;
}

/** What `git merge-file` makes of it, its conflicts marked; `null` where it cannot tell by lines. */
async function mergeFile(
  dataFolder: string,
  repo: RepositoryFacts,
  files: readonly [target: Buffer, base: Buffer, proposed: Buffer],
): Promise<Merged | null> {
  const label = randomUUID();
  return withTemporaryFolder(dataFolder, "conflict-", async (folder) => {
    const names = ["target", "base", "proposed"].map((name) => join(folder, name));
    await Promise.all(names.map((name, index) => writeFile(name, files[index] ?? Buffer.of())));
    const labels = names.flatMap(() => ["-L", label]);
    // It answers with the number of conflicts, 127 at most, and with 255 for what it cannot merge.
    const answers = Array.from({ length: 128 }, (_, count) => count);
    const args = ["merge-file", "-p", "-q", "--diff3", ...labels, ...names];
    const { stdout, exitCode } = await git({ args, gitDir: repo.commonDir, cwd: folder, answers: [...answers, 255] });
    return exitCode === 255 ? null : { text: stdout.toString("utf8"), label };
  });
}

function readRegions({ text, label }: Merged): readonly LineConflict[] {
  const regions: LineConflict[] = [];
  let part: keyof Omit<LineConflict, "targetStart"> | null = null;
  let open = { target: [] as string[], base: [] as string[], proposed: [] as string[] };
  let targetLine = 1;
  let targetStart = 1;
  for (const line of text.split("\n")) {
    if (line === `<<<<<<< ${label}`) {
      [part, targetStart] = ["target", targetLine];
      open = { target: [], base: [], proposed: [] };
    } else if (line === `||||||| ${label}`) part = "base";
    else if (line === "=======" && part === "base") part = "proposed";
    else if (line === `>>>>>>> ${label}`) {
      part = null;
      regions.push({ ...open, targetStart });
    } else {
      if (part === null || part === "target") targetLine += 1;
      if (part !== null) open[part].push(line);
    }
  }
  return regions;
}
