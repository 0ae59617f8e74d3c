// `npm run bench [NAME…]`: measures and prints one table. Never part of the tests: a busy machine fails no build.

import { gitStart } from "./gitStart.ts";
import { journal } from "./journal.ts";
import { runList } from "./runList.ts";
import { streaming } from "./streaming.ts";
import { table } from "./figures.ts";

const benches = [gitStart, journal, runList, streaming];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const bench of benches) {
    if (asked.length > 0 && !asked.includes(bench.name)) continue;
    console.log(`\n${bench.name}`);
    console.log(table(await bench.measure()));
  }
}
