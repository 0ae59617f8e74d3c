// Liveness by progress, not by the clock: what an agent that is checked turns out to be doing. Codes carry the
// meaning; the reason is for people. Waiting for a person stops all of this.

import type { GuardEntry } from "./state.ts";

/** Something in flight, with the limit that ends it by itself. */
export interface InFlight {
  readonly kind: "model" | "tool" | "command" | "provisioning" | "verification" | "git";
  readonly name: string;
  readonly sinceMs: number;
}

export interface Activity {
  /** New journal entries, or stream data, since the last check. */
  readonly hasProgressed: boolean;
  readonly inFlight: readonly InFlight[];
  /** Running time of the node, ms; sleep and waiting for a person excluded. */
  readonly ranMs: number;
  readonly ceilingMs: number;
}

export type LivenessVerdict =
  | { readonly verdict: "progressing"; readonly reason: string }
  | { readonly verdict: "blocked"; readonly reason: string }
  | { readonly verdict: "stalled"; readonly code: "STALLED"; readonly reason: string }
  | { readonly verdict: "ceiling"; readonly code: "CEILING"; readonly reason: string };

/** The verdict of one check. The ceiling comes first: it always fires. */
export function judgeLiveness(activity: Activity): LivenessVerdict {
  if (activity.ranMs >= activity.ceilingMs) {
    return {
      verdict: "ceiling",
      code: "CEILING",
      reason: `ran for ${seconds(activity.ranMs)}, its ceiling is ${seconds(activity.ceilingMs)}`,
    };
  }
  if (activity.hasProgressed) return { verdict: "progressing", reason: "new entries since the last check" };
  const [first, ...others] = activity.inFlight;
  if (first) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return { verdict: "blocked", reason: `${first.kind} ${first.name} in flight for ${seconds(first.sinceMs)}${more}` };
  }
  return { verdict: "stalled", code: "STALLED", reason: "nothing new and nothing in flight since the last check" };
}

/** How many settled calls the loop guard looks back over. */
export const guardWindow = 12;

/** The tool that runs in a circle, or `null`: three identical call-and-result pairs in the window, or A-B-A-B at its end. */
export function findLoop(window: readonly GuardEntry[]): { readonly tool: string; readonly reason: string } | null {
  const last = window.at(-1);
  if (!last) return null;
  const repeats = window.filter((entry) => isSame(entry, last)).length;
  if (repeats >= 3)
    return {
      tool: last.tool,
      reason: `${last.tool} was called ${repeats} times with the same arguments and the same result`,
    };
  const [a, b, c, d] = window.slice(-4);
  if (a && b && c && d && isSame(a, c) && isSame(b, d) && !isSame(a, b)) {
    return { tool: d.tool, reason: `${c.tool} and ${d.tool} take turns with the same arguments and the same results` };
  }
  return null;
}

function isSame(left: GuardEntry, right: GuardEntry): boolean {
  return left.tool === right.tool && left.call === right.call && left.result === right.result;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
