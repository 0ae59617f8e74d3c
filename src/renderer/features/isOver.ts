// Whether a run goes on. Pure.

import type { RunSnapshot } from "../../shared/contract/snapshots.ts";

/** Nothing more happens in it by itself; what it took is known. */
export function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "stopped" || status === "imported" || status === "quarantined" || status === "interrupted";
}
