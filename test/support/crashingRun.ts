// A process of its own that drives a run and dies by SIGKILL in the moment in which a certain event was committed:
// nothing that follows from it has been begun. Loads the sources as they are; only prompts need a loader.

import "./rawModules.ts";

import type { EventType } from "../../src/main/domain/events.ts";
import type { Assignment } from "../../src/main/runs/assignment.ts";
import type { Commit } from "../../src/main/engine/dispatcher.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";

/** What the process is to do, as JSON in its first argument. */
export interface CrashOrder {
  readonly home: string;
  readonly baseUrl: string;
  /** Begins this, or takes over a run that an earlier process has left. */
  readonly work: { readonly assignment: Assignment } | { readonly run: RunId };
  /** Dies at the `count`-th event of this type, of this tool if one is named. */
  readonly at: { readonly type: EventType; readonly count: number; readonly tool?: string };
}

// After the loader is in place.
const { connectModel, openWorkbench } = await import("../../src/main/workbench.ts");

const { home, baseUrl, work, at } = JSON.parse(process.argv[2] ?? "") as CrashOrder;
const opened = await openWorkbench({ home });
if (!opened.ok) throw new Error(opened.error.message);
const model = connectModel({ baseUrl, apiKey: "test-key" });
let seen = 0;
const look = ({ events }: Commit) => {
  seen += events.filter(
    (event) =>
      event.type === at.type && (at.tool === undefined || ("tool" in event.data && event.data.tool === at.tool)),
  ).length;
  if (seen >= at.count) process.kill(process.pid, "SIGKILL");
};
const got =
  "run" in work
    ? await opened.value.takeRun(work.run, model)
    : await opened.value.startRun(work.assignment, model, { onCommit: look });
if (!got.ok) throw new Error(got.error.message);
const run = got.value;
run.onCommit(look);
if ("run" in work) await run.recover();
await run.drive(true);
throw new Error(`The run ended without the ${at.count}. ${at.type}`);
