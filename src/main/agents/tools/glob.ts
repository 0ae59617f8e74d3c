// Globs that a model may send, and how they are matched against paths. Keeps to patterns that cannot take for ever.

import picomatch from "picomatch";
import { z } from "zod";

const maxLength = 200;
/** A matcher tries every way to share a name between its stars: with more of them in one segment a long name takes minutes. */
const maxStarsInSegment = 3;
const maxDeepSegments = 3;

function isBounded(glob: string): boolean {
  const segments = glob.split("/");
  const deep = segments.filter((segment) => segment === "**").length;
  return (
    deep <= maxDeepSegments &&
    segments.every((segment) => segment === "**" || segment.split("*").length - 1 <= maxStarsInSegment)
  );
}

/** A glob as a tool's parameter. */
export const globParameter = z
  .string()
  .min(1)
  .max(maxLength)
  .refine(isBounded, `may hold at most ${maxStarsInSegment} stars in a segment and ${maxDeepSegments} times **`);

/** A test of root-relative paths. A glob without a slash is about the name alone; one with a slash may count from the root or from `from`. No glob: every path. */
export function makeGlobTest(glob: string | undefined, from: string): (path: string) => boolean {
  if (glob === undefined) return () => true;
  // Extended globs nest quantifiers, which is what makes a matcher hang.
  const matches = picomatch(glob, {
    dot: true,
    basename: !glob.includes("/"),
    noextglob: true,
    // Names may hold line breaks.
    flags: "s",
  });
  const prefix = from === "." ? "" : `${from}/`;
  return (path) => matches(path) || (path.startsWith(prefix) && matches(path.slice(prefix.length)));
}
