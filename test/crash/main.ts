// `npm run crash`: kills, stops, starves and damages Coppice in many ways, and reports what came of it in one table. Exit code
// 0 when nothing was found. With `--self-test` it plants defects instead, each of which has to be found.

import "../support/rawModules.ts";

import { readOptions, usage } from "./options.ts";

try {
  const options = readOptions(process.argv.slice(2));
  // After the loader is in place.
  const { runParts } = await import("./runParts.ts");
  const { runSelfTest } = await import("./selfTest.ts");
  process.exitCode = await (options.isSelfTest ? runSelfTest(options) : runParts(options));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
