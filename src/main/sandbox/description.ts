// Owns the words that say what a command was doing when its time was over. Pure.
// A cause nobody sees ("exit 143") cannot be mended: a signing prompt behind `git commit` must be named.

import path from "node:path";
import type { ProcessRow } from "./processTable.ts";

const labelLimit = 60;
const chainLimit = 4;

/** `git commit → gpg, sleep 600`: each innermost process with what led to it, below the shell that ran the line. */
export function describeRunning(rows: readonly ProcessRow[], leader: number): string {
  const shown = rows.filter((row) => !isLauncher(row));
  const byPid = new Map(shown.map((row) => [row.pid, row]));
  const parents = new Set(shown.map((row) => row.parent));
  const leaves = shown.filter((row) => !parents.has(row.pid));
  const chains = leaves.map((leaf) => chainOf(leaf, byPid, leader).map(labelOf).join(" → "));
  const shownChains = chains.slice(0, chainLimit).join(", ");
  return chains.length > chainLimit ? `${shownChains} and ${chains.length - chainLimit} more` : shownChains;
}

/** From the outermost to the leaf. The shell itself is left out when something runs below it. */
function chainOf(leaf: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, leader: number): readonly ProcessRow[] {
  const chain: ProcessRow[] = [];
  for (let row: ProcessRow | undefined = leaf; row !== undefined && !chain.includes(row); row = byPid.get(row.parent))
    chain.unshift(row);
  const [first] = chain;
  const startsAtShell = first !== undefined && chain.length > 1 && (first.pid === leader || isShell(first));
  return startsAtShell ? chain.slice(1) : chain;
}

function labelOf(row: ProcessRow): string {
  const [file = "?", ...rest] = row.argv;
  const label = [path.basename(file), ...rest].join(" ").replace(/\s+/g, " ");
  return label.length > labelLimit ? `${label.slice(0, labelLimit - 1)}…` : label;
}

function isLauncher(row: ProcessRow): boolean {
  return path.basename(row.argv[0] ?? "") === "bwrap";
}

function isShell(row: ProcessRow): boolean {
  return ["bash", "sh"].includes(path.basename(row.argv[0] ?? "")) && row.argv[1] === "-c";
}
