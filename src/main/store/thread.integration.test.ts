// What is told when the store's thread dies, with threads that do nothing else.

import { expect, onTestFinished, test, vi } from "vitest";

import { startThread } from "./thread.ts";

/** A thread that throws at once an error with this code. */
function dying(code: string): URL {
  return new URL(
    `data:text/javascript,throw Object.assign(new Error("disk I/O error"), { code: ${JSON.stringify(code)} })`,
  );
}

test("a thread that dies of the disk says so in the words for that, and of anything else what it was", async () => {
  const input = {} as Parameters<typeof startThread>[1];
  const [ofDisk, ofElse] = await Promise.all([
    startThread(dying("SQLITE_IOERR_WRITE"), input),
    startThread(dying("ODD"), input),
  ]);
  expect([ofDisk, ofElse]).toMatchObject([
    {
      ok: false,
      error: {
        code: "STORE_UNAVAILABLE",
        message: "The system could not read or write the journal. Check the disk. (disk I/O error)",
      },
    },
    {
      ok: false,
      error: {
        code: "STORE_UNAVAILABLE",
        message: "The store could not start (disk I/O error). Start Coppice again to go on.",
      },
    },
  ]);
});

test("a call that is not answered ends the thread; one that goes through the whole file is given longer", async () => {
  const silent = new URL(
    `data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {}); parentPort.postMessage({ kind: "opened", boot: "b1" });`,
  );
  const opened = await Promise.all([1, 2].map(() => startThread(silent, {} as Parameters<typeof startThread>[1])));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [usual, whole] = opened.map((thread, index) => {
    if (!thread.ok) throw new Error(thread.error.message);
    return thread.value.call(index === 0 ? "listRuns" : "compact").catch((error: unknown) => String(error));
  });
  const answers: unknown[] = [];
  for (const [name, answer] of Object.entries({ usual, whole }))
    void answer?.then((words) => answers.push(name, words));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).toEqual(["usual", expect.stringContaining("did not answer listRuns within 60 s")]);
  await vi.advanceTimersByTimeAsync(540_000);
  expect(answers.slice(2)).toEqual(["whole", expect.stringContaining("did not answer compact within 600 s")]);
});
