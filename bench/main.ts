// `npm run bench [NAME…]`: measures and prints a table for each; all of them together are also written to docs/performance.md.
// Never part of the tests: a busy machine fails no build.

import { table } from "./figures.ts";
import { gitStart } from "./gitStart.ts";
import { journal } from "./journal.ts";
import { type Measured, writePerformance } from "./performance.ts";
import { runList } from "./runList.ts";
import { streaming } from "./streaming.ts";

const benches = [gitStart, journal, runList, streaming];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}.`);
  process.exitCode = 2;
} else {
  const measured: Measured[] = [];
  for (const bench of benches) {
    if (asked.length > 0 && !asked.includes(bench.name)) continue;
    console.log(`\n${bench.name}`);
    const figures = await bench.measure();
    console.log(table(figures));
    measured.push({ bench, figures });
  }
  if (asked.length === 0) await writePerformance(measured);
}
