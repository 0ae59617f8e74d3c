// The file that the symbols thread runs. Imported anywhere else it only says where it lies: a dynamic import is what makes
// the bundler give it a file of its own. It must share no code with the process that starts it, only types.

import { parentPort, workerData } from "node:worker_threads";
import type { ThreadSetup } from "./facts.ts";

export const workerUrl = import.meta.url;

const setup = workerData as ThreadSetup | null | undefined;
if (parentPort !== null && setup?.role === "coppice-symbols") {
  const { serveBatches } = await import("./thread.ts");
  await serveBatches(parentPort, setup);
}
