// What the head of a wave says of those who are in it: how many of which kind, and whether they work side by side. Pure.

import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { countOf } from "../../ui/formats.ts";
import { widthOf } from "../subagents.ts";

type Member = Pick<SubagentSnapshot, "role" | "rule" | "startedAt" | "endedAt">;

/**
 * `3 readers side by side`, `2 writers, a worktree each`, `3 readers, 1 held by a rule`, `9 readers, 4 to begin`, `2 readers, one after the other`,
 * `9 readers, at most 4 at once`, `1 reader, 3 writers`.
 */
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
  const begun = members.filter(({ startedAt }) => startedAt !== null);
  const queuedCount = members.filter(({ startedAt, endedAt }) => startedAt === null && endedAt === null).length;
  if (begun.length > 0 && queuedCount > 0) return `${kinds}, ${queuedCount} to begin`;
  const width = widthOf(begun, Infinity);
  if (width < begun.length) return `${kinds}, ${width === 1 ? "one after the other" : `at most ${width} at once`}`;
  if (readerCount > 0 && writerCount > 0) return kinds;
  return writerCount > 0 ? `${kinds}, a worktree each` : `${kinds} side by side`;
}
