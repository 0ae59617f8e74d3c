// What the head of a wave says of those who are in it: how many of which kind, and whether they work side by side. Pure.

import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { countOf } from "../../ui/formats.ts";

type Member = Pick<SubagentSnapshot, "role" | "rule" | "startedAt" | "endedAt">;

/** `3 readers side by side`, `2 writers, a worktree each`, `3 readers, 1 held by a rule`, `2 readers, one after the other`, `1 reader, 3 writers`. */
export function describeMembers(members: readonly Member[]): string {
  const writerCount = members.filter(({ role }) => role === "executor").length;
  const readerCount = members.length - writerCount;
  const kinds = [
    ...(readerCount > 0 ? [countOf(readerCount, "reader")] : []),
    ...(writerCount > 0 ? [countOf(writerCount, "writer")] : []),
  ].join(", ");
  if (members.length === 1) return kinds;
  const heldCount = members.filter(({ rule }) => rule !== undefined).length;
  if (heldCount > 0) return `${kinds}, ${heldCount} held by a rule`;
  if (haveTakenTurns(members)) return `${kinds}, one after the other`;
  if (readerCount > 0 && writerCount > 0) return kinds;
  return writerCount > 0 ? `${kinds}, a worktree each` : `${kinds} side by side`;
}

/** All have begun, and each only after those before it had ended. */
function haveTakenTurns(members: readonly Member[]): boolean {
  const begun = members.flatMap(({ startedAt, endedAt }) =>
    startedAt === null ? [] : [{ from: startedAt, until: endedAt ?? Infinity }],
  );
  if (begun.length < members.length) return false;
  const inOrder = begun.toSorted((left, right) => left.from - right.from);
  return inOrder.every(({ from }, index) => inOrder.slice(0, index).every(({ until }) => until <= from));
}
