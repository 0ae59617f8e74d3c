// Looks again and again at what another process does: after each of its commits, and each second, since one that has died
// commits nothing.

import type { Workbench } from "../../workbench.ts";

const everyMs = 1_000;

/** Calls `look` until it answers with true; once `leave` aborts, a last time at once. */
export async function lookUntil(
  workbench: Pick<Workbench, "onForeignCommit">,
  look: () => Promise<boolean>,
  leave?: AbortSignal,
): Promise<void> {
  let hasNews = false;
  let wake: () => void = () => undefined;
  const tell = () => {
    hasNews = true;
    wake();
  };
  const off = workbench.onForeignCommit(tell);
  leave?.addEventListener("abort", tell);
  try {
    for (;;) {
      const isLast = leave?.aborted === true;
      hasNews = false;
      if ((await look()) || isLast) return;
      // What came while it looked may not have been seen.
      if (hasNews) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    off();
    leave?.removeEventListener("abort", tell);
  }
}
