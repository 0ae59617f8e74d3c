// docs/performance.md: what all benches measured in one run, with the machine that it was. Nothing in it is written by hand.

import { writeFile } from "node:fs/promises";
import { cpus, loadavg, platform, release } from "node:os";
import { join } from "node:path";

import { projectRoot } from "../test/support/commandLineBuild.ts";
import { currentCommit } from "../test/support/currentCommit.ts";
import { type Bench, cellsOf, type Figure, tableHead } from "./figures.ts";

export interface Measured {
  readonly bench: Bench;
  readonly figures: readonly Figure[];
}

/** Of the last minute and as the run began: what else the machine had to do. */
const loadBefore = loadavg()[0] ?? 0;

/** Writes the page anew. */
export async function writePerformance(measured: readonly Measured[]): Promise<void> {
  const parts = [head(), ...measured.map((one) => part(one))];
  await writeFile(join(projectRoot, "docs/performance.md"), `${parts.join("\n\n")}\n`);
}

function head(): string {
  const [{ model } = { model: "unknown" }] = cpus();
  const machine = `${platform()} ${release()}, ${cpus().length} processors (${model.trim()}), Node ${process.versions.node}`;
  return [
    "# Performance",
    "Written by `npm run bench`; every figure was measured by the run that wrote it. Do not edit.",
    `${new Date().toISOString().slice(0, 10)}, on ${machine}, at commit \`${currentCommit()}\`. Load as it began: ${loadBefore.toFixed(1)}.`,
    "Each figure stands beside what it is held against, measured in turn with it in the same minutes where that is no fixed limit: medians, unless the line says otherwise. Levels differ from machine to machine, and a busy one stretches them; the ratio is what to read. `npm run bench -- NAME` measures one part and writes nothing.",
  ].join("\n\n");
}

function part({ bench, figures }: Measured): string {
  const rows = [tableHead, tableHead.map(() => "---"), ...figures.map((figure) => cellsOf(figure))];
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [`## ${bench.name}`, bench.about, lines.join("\n")].join("\n\n");
}
