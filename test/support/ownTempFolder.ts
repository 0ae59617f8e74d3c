// What a run of the tests puts into the temporary folder, and what the programs that it starts put there, goes into one of
// its own and is gone at the end, also after a test that died.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Vitest's global set-up, before any worker is started; what it answers with is called at the end. Once for each project. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-vitest-"));
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
