// The table: printed line by line as the parts end, and written to docs/reliability.md with the rows of the fault matrix that
// are covered, and those that are not, with the reason.

import { writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { join } from "node:path";

import { projectRoot } from "../support/commandLineBuild.ts";
import { currentCommit } from "../support/currentCommit.ts";
import { matrix, type MatrixRow } from "./matrix.ts";
import { planted } from "./mutations.ts";
import type { Options } from "./options.ts";
import type { Part, Report } from "./round.ts";
import { allCompared } from "./tally.ts";

export interface Row {
  readonly part: Part;
  readonly report: Report;
  readonly tookMs: number;
}

/** One line for each part. */
export function printTable(rows: readonly Row[]): void {
  for (const { part, report, tookMs } of rows)
    process.stdout.write(
      `${part.name.padEnd(22)} ${String(report.rounds).padStart(6)} rounds ${String(report.faults.length).padStart(4)} faults ${(tookMs / 1_000).toFixed(0).padStart(5)} s  ${report.figures}\n`,
    );
}

/** What was compared in all of them. */
export function printCompared(): void {
  for (const { what, count, faultCount } of allCompared())
    process.stdout.write(`${String(count).padStart(8)} ${what}, ${faultCount} did not\n`);
}

/** Which rows of the matrix are held, and which are not or not in all, with the reason. */
export function printCoverage(rows: readonly Row[]): void {
  const held = matrix.filter((row) => holdersOf(row, rows).length > 0);
  process.stdout.write(`${held.length} of ${matrix.length} rows of the fault matrix are held\n`);
  for (const row of matrix) {
    const gaps = gapsOf(row, rows);
    if (gaps.length > 0)
      process.stdout.write(
        `${held.includes(row) ? "in part" : "not held"} ${row.id} ${row.what}: ${gaps.join("; ")}\n`,
      );
  }
}

/** The parts that had a round, and the tests. */
function holdersOf({ id, tests }: MatrixRow, rows: readonly Row[]): readonly string[] {
  const parts = rows.filter(({ part, report }) => report.rounds > 0 && part.rows.includes(id));
  return [...parts.map(({ part }) => part.name), ...tests.map((file) => `\`${file}\``)];
}

/** What is not held, and the parts that could have no round here, with the reason. */
function gapsOf({ id, open }: MatrixRow, rows: readonly Row[]): readonly string[] {
  const idle = rows.filter(({ part, report }) => report.rounds === 0 && part.rows.includes(id));
  return [...(open === undefined ? [] : [open]), ...idle.map(({ part, report }) => `${part.name} ${report.figures}`)];
}

/** Writes docs/reliability.md anew: nothing in it is written by hand. */
export function writeReliability(rows: readonly Row[], options: Options, tookMs: number): void {
  const table = rows.map(
    ({ part, report, tookMs: ms }) =>
      `| ${part.name} | ${report.rounds} | ${report.faults.length} | ${(ms / 1_000).toFixed(0)} | ${report.figures} |`,
  );
  const covered = matrix.map((row) => {
    const holders = holdersOf(row, rows);
    return `| ${row.id} | ${row.what} | ${holders.length > 0 ? holders.join(", ") : "**not covered**"} | ${gapsOf(row, rows).join("; ")} |`;
  });
  const text = [
    "# Reliability",
    "",
    "Written by `npm run crash`; every figure was measured by the run that wrote it. Do not edit.",
    "",
    `Seed ${options.seed}, ${Math.round(tookMs / 1_000)} s, ${options.width} rounds side by side, on ${platform()} ${release()} with ${cpus().length} processors, at commit \`${currentCommit()}\`.`,
    "",
    "| part | rounds | faults | s | figures |",
    "|---|---|---|---|---|",
    ...table,
    "",
    "A round is one run of a whole story, a lead with a reader and an executor whose edit is checked and landed, that is disturbed and then resumed by the command line, in *Seam sweep*, *SIGKILL* and *Deaths in git* over and over; of *Seam sweep* it may be a person's way with a run instead, command by command: reviewed, sent back with its target, landed where the person stands, taken back, written to, exported, forked, cancelled, deleted, collected; of *Power cut* it is one image of the disk, of *Deaths in a write* it may be a command that brings an old journal forward, of *Page out of memory* one page on a long run. A fault is anything of: an event that was printed and is not in the journal as it was printed; a gap; an effect, decision, handoff or landing that is there twice or not at all; another landed content; a request that was not charged exactly once; a process, lock, worktree, folder or ref that is left; an invariant that `coppice doctor` finds broken.",
    "",
    "`npm run crash -- --seed N --duration SECONDS` chooses other points and another length, `--only PART` one part. `npm run crash -- --short` is what `npm test` runs.",
    "",
    "## What was compared",
    "",
    "In all rounds in which a run is disturbed and goes on, the parts with other rounds left out:",
    "",
    "| compared | how many | of them not so |",
    "|---|---|---|",
    ...allCompared().map(({ what, count, faultCount }) => `| ${what} | ${count} | ${faultCount} |`),
    "",
    "## Known to bite",
    "",
    "`npm run crash -- --self-test` plants each of these defects in a build of its own and expects the part beside it to find it:",
    "",
    ...planted.map(({ name, part }) => `- ${name}: *${part.name}*`),
    "",
    "## The fault matrix, row by row",
    "",
    "Parts are those above; files are tests of `npm test`.",
    "",
    "| row | what happens | held by | not held, and why |",
    "|---|---|---|---|",
    ...covered,
    "",
  ].join("\n");
  writeFileSync(join(projectRoot, "docs/reliability.md"), text);
}
