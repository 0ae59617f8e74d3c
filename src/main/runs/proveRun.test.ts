import { expect, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import { StoreError, unreadFailure } from "../store/failure.ts";
import { proveRun } from "./proveRun.ts";

const run = "r" as RunId;

test("damage is the run's, a disk that cannot be read is not, and a defect of ours is neither", async () => {
  const told = async (verifyRun: () => Promise<readonly string[]>) => {
    const proved = await proveRun({ verifyRun }, run);
    return proved.ok ? "whole" : [proved.error.code, proved.error.message];
  };
  expect([
    await told(() => Promise.resolve([])),
    await told(() => Promise.resolve(["Event 2 of run r is gone", "x"])),
    await told(() => Promise.reject(new StoreError(unreadFailure("EIO: i/o error, read")))),
  ]).toEqual([
    "whole",
    [
      "JOURNAL_DAMAGED",
      "The journal of r is damaged and is left as it is: Event 2 of run r is gone (and 1 more). coppice doctor lists all of it.",
    ],
    ["STORE_UNAVAILABLE", "The system could not read or write the journal. Check the disk. (EIO: i/o error, read)"],
  ]);
  await expect(told(() => Promise.reject(new RangeError("ours")))).rejects.toThrow("ours");
});
