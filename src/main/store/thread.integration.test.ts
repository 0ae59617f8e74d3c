// What is told when the store's thread dies, with threads that do nothing else.

import { expect, test } from "vitest";

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
