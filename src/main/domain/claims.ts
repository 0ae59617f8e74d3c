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
  if (left === null || right === null) return false;
  return left.some((one) => right.some((other) => entriesOverlap(normalise(one), normalise(other))));
}

function covers(entry: string, path: string): boolean {
  if (entry === "." || entry === path || path.startsWith(`${entry}/`)) return true;
  return isGlob(entry) && picomatch.isMatch(path, [entry, `${entry}/**`], { dot: true });
}

function entriesOverlap(left: string, right: string): boolean {
  const one = fixedPart(left);
  const other = fixedPart(right);
  if (one === "" || other === "" || one === other) return true;
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`) || mayShareName(left, right);
}

/** `src/*.ts` beside `src/a.ts`: the fixed parts are `src` and `src/a.ts`, which the prefix test sees; `lib*` beside `library` needs the glob itself. */
function mayShareName(left: string, right: string): boolean {
  if (isGlob(left)) return isGlob(right) ? sharesStem(left, right) : picomatch.isMatch(right, left, { dot: true });
  return isGlob(right) && picomatch.isMatch(left, right, { dot: true });
}

function sharesStem(left: string, right: string): boolean {
  const one = left.slice(0, left.search(/[*?[{]/));
  const other = right.slice(0, right.search(/[*?[{]/));
  return one.startsWith(other) || other.startsWith(one);
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
