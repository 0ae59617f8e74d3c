// A process of its own, as `serve` is one: the real engine, store and browser shell on the built renderer, with one run
// that is started at once. Only the queue to the model is wider than usual, so that all subagents stream at the same time.
// Prints two lines: the address, and the run. Ends when its parent does.

import { randomUUID } from "node:crypto";
import { resolve } from "node:path";

import type { CommandId } from "../src/shared/contract/ids.ts";
import type { Limits } from "../src/shared/contract/options.ts";
import { openLog } from "../src/main/logging/log.ts";
import { shareModels } from "../src/main/models/limit.ts";
import { createOpenAiModel } from "../src/main/models/openai.ts";
import { serve } from "../src/main/serve.ts";
import { systemClock } from "../src/main/systemClock.ts";
import { openWorkbench } from "../src/main/workbench.ts";

const [home = "", folder = "", baseUrl = "", agents = "", task = ""] = process.argv.slice(2);
const inAll = Number(agents) + 1;
const limits: Partial<Limits> = {
  maxConcurrent: inAll,
  maxPerModel: inAll,
  maxOverAllRuns: inAll,
  maxSubagents: inAll,
  // More than the measurement lasts.
  maxSteps: 1_000,
};

const connect = shareModels(createOpenAiModel, { maxPerModel: inAll, maxInAll: inAll, clock: systemClock });
const workbench = await openWorkbench({ home, connect });
if (!workbench.ok) throw new Error(workbench.error.message);
const { source } = workbench.value;
await serve({
  source,
  log: openLog(home),
  rendererFolder: resolve("out/renderer"),
  print: (line) => process.stdout.write(`${line}\n`),
});
const started = await source.execute({
  commandId: randomUUID() as CommandId,
  command: {
    type: "startRun",
    folder,
    baseUrl,
    task,
    model: "scripted",
    worktrees: "off",
    limits,
    budget: { steps: null },
  },
});
if (!started.ok) throw new Error(started.error.message);
if (!("run" in started.value)) throw new Error("The run has no id.");
process.stdout.write(`${started.value.run}\n`);
process.once("disconnect", () => process.exit());
