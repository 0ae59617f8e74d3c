// Merges three versions of one file by lines, as git does, and tells what merged from the places where two sides differ. Byte for byte:
// whatever stands in the files, the pieces put together again are what git would have written.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { RepositoryFacts } from "../domain/records.ts";
import { git } from "./git.ts";
import { withTemporaryFolder } from "./scratch.ts";

const sideNames = ["target", "base", "proposed"] as const;
type SideName = (typeof sideNames)[number];
/** The three versions of a file, or of the lines at one place; line ends included. */
export type Sides<T = Buffer> = { readonly [S in SideName]: T };

/** Lines that merged, or a place where target and proposal differ. */
export type Piece = { readonly kind: "merged"; readonly bytes: Buffer } | ({ readonly kind: "conflict" } & Sides);

/** The file in pieces, in order; `null` where git cannot merge it by lines. */
export async function mergeByLines(
  dataFolder: string,
  repo: RepositoryFacts,
  sides: Sides,
): Promise<readonly Piece[] | null> {
  const size = markerSizeFor(sides);
  return withTemporaryFolder(dataFolder, "conflict-", async (folder) => {
    const files = sideNames.map((name) => join(folder, name));
    await Promise.all(sideNames.map((name, index) => writeFile(files[index] ?? "", sides[name])));
    const labels = sideNames.flatMap((name) => ["-L", name]);
    // It answers with the number of conflicts, 127 at most, and with 255 for what it cannot merge.
    const answers = [...Array.from({ length: 128 }, (_, count) => count), 255];
    const args = ["merge-file", "-p", "-q", "--diff3", `--marker-size=${size}`, ...labels, ...files];
    const { stdout, exitCode } = await git({ args, gitDir: repo.commonDir, cwd: folder, answers });
    return exitCode === 255 ? null : piecesOf(stdout, size, sides);
  });
}

/** Longer than anything in the files that could pass for a marker. */
function markerSizeFor(sides: Sides): number {
  const runs = sideNames.flatMap((name) => sides[name].toString("latin1").match(/([<|=>])\1{6,}/g) ?? []);
  return 1 + runs.reduce((longest, run) => Math.max(longest, run.length), 6);
}

/** Reads git's own output, its conflicts marked in the style `diff3` with markers of `size`. */
export function piecesOf(output: Buffer, size: number, sides: Sides): readonly Piece[] {
  const markers = markersOf(size);
  const pieces: (Sides<string> | string)[] = [];
  let part: SideName | null = null;
  let open = { target: "", base: "", proposed: "" };
  let merged = "";
  // One character a byte, so that nothing is lost on the way.
  for (const line of output.toString("latin1").match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const marker = markers.get(line.replace(/\r?\n$/, ""));
    if (marker === undefined) {
      if (part === null) merged += line;
      else open[part] += line;
    } else if (marker === "end") {
      pieces.push(open);
      part = null;
    } else {
      if (marker === "target") {
        pieces.push(merged);
        [merged, open] = ["", { target: "", base: "", proposed: "" }];
      }
      part = marker;
    }
  }
  pieces.push(merged);
  return pieces
    .filter((piece) => piece !== "")
    .map((piece, index, all): Piece => {
      if (typeof piece === "string") return { kind: "merged", bytes: Buffer.from(piece, "latin1") };
      return { kind: "conflict", ...bytesOf(piece, index === all.length - 1 ? sides : null) };
    });
}

function markersOf(size: number): ReadonlyMap<string, SideName | "end"> {
  return new Map([
    [`${"<".repeat(size)} target`, "target"],
    [`${"|".repeat(size)} base`, "base"],
    ["=".repeat(size), "proposed"],
    [`${">".repeat(size)} proposed`, "end"],
  ]);
}

/** `ending`: the files whose ends these lines are. Git has given a last line without a line end one, to put a marker behind it. */
function bytesOf(lines: Sides<string>, ending: Sides | null): Sides {
  const bytes = (name: SideName) => {
    const text = Buffer.from(lines[name], "latin1");
    if (text.length === 0 || ending === null || ending[name].at(-1) === 0x0a) return text;
    const without = text.subarray(0, -1);
    return ending[name].subarray(-without.length).equals(without) ? without : text.subarray(0, -2);
  };
  return { target: bytes("target"), base: bytes("base"), proposed: bytes("proposed") };
}
