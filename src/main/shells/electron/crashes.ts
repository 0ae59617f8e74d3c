// What to do when a page has died. Its runs go on in this process, so it is loaded again: first as it was, then, since
// what it showed may be what killed it, without anything open.

/** Deaths that are longer ago than this were another trouble, ms. */
const memoryMs = 5 * 60_000;

export type AfterCrash = "same" | "safe" | "ask";

/** `deaths`: when pages of this window died, epoch ms, the newest (now) last. */
export function afterCrash(deaths: readonly number[]): AfterCrash {
  const now = deaths.at(-1) ?? 0;
  const recentCount = deaths.filter((at) => now - at < memoryMs).length;
  if (recentCount <= 1) return "same";
  return recentCount === 2 ? "safe" : "ask";
}
