// The sign of what keeps a file from landing unasked: a lock where it is kept apart, a warning where something is left to do.

import { Lock, TriangleAlert } from "lucide-react";

import type { AskingMark } from "../../../shared/contract/pages.ts";

export function AskingIcon({ asks, size }: { readonly asks: AskingMark; readonly size: number }) {
  return asks === "CONFLICT_MARKS" ? (
    <TriangleAlert size={size} className="bad" aria-hidden="true" />
  ) : (
    <Lock size={size} aria-hidden="true" />
  );
}
