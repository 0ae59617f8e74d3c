// Path claims: what an executor may edit. Two overlapping claims are never held at once; an edit outside the own
// claim is refused, a command's change outside it is marked.

import picomatch from "picomatch";

/** A claim: relative files or folders that need not exist; a folder covers what is below it, `.` everything, `*` and `**` are globs. `null` = nothing is claimed. */
export type Claim = readonly string[] | null;

/** Whether `path` (relative, forward slashes) lies in the claim. Without a claim everything does. */
export function isInsideClaim(path: string, claim: Claim): boolean {
  return claim === null || claim.some((entry) => covers(normalise(entry), path));
}

/** Whether two claims may touch one file. Cautious: globs overlap when their fixed parts do. An absent claim overlaps nothing, because nothing is promised about it. */
export function claimsOverlap(left: Claim, right: Claim): boolean {
  return sharedEntry(left, right) !== null;
}

/** The narrower of the first two entries for which two claims overlap; `null` where they do not. */
export function sharedEntry(left: Claim, right: Claim): string | null {
  for (const one of left ?? [])
    for (const other of right ?? [])
      if (entriesOverlap(normalise(one), normalise(other)))
        return fixedPart(normalise(one)).length >= fixedPart(normalise(other)).length ? one : other;
  return null;
}

/** Names may hold line breaks, which the dot of a pattern takes only with its flag. */
function covers(entry: string, path: string): boolean {
  if (entry === "." || entry === path || path.startsWith(`${entry}/`)) return true;
  if (!isGlob(entry)) return false;
  const pattern = asPattern(entry);
  return picomatch.isMatch(path, [pattern, `${pattern}/**`], { dot: true, flags: "s" });
}

/** Every path that an entry covers begins with its fixed part, so entries whose fixed parts lie apart share none. */
function entriesOverlap(left: string, right: string): boolean {
  const one = fixedPart(left);
  const other = fixedPart(right);
  return one === "" || other === "" || one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Folders named `(shop)`, `@scope` or `!important` are names, not the further signs that the matcher knows. */
function asPattern(entry: string): string {
  return entry.replace(/[()!+@|\\$^]/g, "\\$&");
}

/** The leading folders of an entry that hold no glob sign; the whole entry when it holds none. */
function fixedPart(entry: string): string {
  if (entry === ".") return "";
  if (!isGlob(entry)) return entry;
  const parts = entry.split("/");
  return parts.slice(0, parts.findIndex(isGlob)).join("/");
}

function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function normalise(entry: string): string {
  const plain = entry.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
  return plain === "" ? "." : plain;
}
