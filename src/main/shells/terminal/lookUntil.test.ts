import { expect, onTestFinished, test, vi } from "vitest";

import { lookUntil } from "./lookUntil.ts";

test("what is committed while it looks is looked at without a wait, and so is the end", async () => {
  // No second ever passes.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const leave = new AbortController();
  let tell: () => void = () => undefined;
  const workbench = { onForeignCommit: (listener: () => void) => ((tell = listener), () => (tell = () => undefined)) };
  let lookCount = 0;
  const look = async () => {
    lookCount += 1;
    if (lookCount === 1) tell();
    if (lookCount === 2) queueMicrotask(() => queueMicrotask(() => leave.abort()));
    return false;
  };
  await lookUntil(workbench, look, leave.signal);
  expect(lookCount).toBe(3);
});
