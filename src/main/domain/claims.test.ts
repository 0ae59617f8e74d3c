// Which claims may touch one file, and what lies inside a claim.

import { expect, test } from "vitest";

import { type Claim, claimsOverlap, isInsideClaim } from "./claims.ts";

test.each<readonly [Claim, Claim, boolean]>([
  [["src/a.js"], ["src/a.js"], true],
  [["src"], ["src/pay/a.js"], true],
  [["src/"], ["./src/a.js"], true],
  [["src"], ["srcs/a.js"], false],
  [["src/a.js"], ["src/b.js"], false],
  [["."], ["anything"], true],
  [["src/*.js"], ["src/a.js"], true],
  [["src/*.js"], ["lib/a.js"], false],
  [["**/*.md"], ["docs"], true],
  [["lib*"], ["library"], true],
  [["lib*"], ["library/a.js"], true],
  [["a*"], ["b*"], true],
  [["src/a.js", "docs"], ["lib", "docs/guide.md"], true],
  [null, ["src"], false],
  [null, null, false],
  [[], ["src"], false],
])("claims %j and %j overlap: %s", (left, right, overlap) => {
  expect([claimsOverlap(left, right), claimsOverlap(right, left)]).toEqual([overlap, overlap]);
});

test.each<readonly [string, Claim, boolean]>([
  ["src/a.js", ["src"], true],
  ["src", ["src"], true],
  ["srcs/a.js", ["src"], false],
  ["src/deep/a.js", ["src/*"], true],
  ["src/.env", ["src/*"], true],
  ["a.ts", ["*.js"], false],
  ["q\n/r\ns.md", ["**"], true],
  ["q\n/r\ns.md", ["q*/*.md"], true],
  ["anything", ["."], true],
  ["anything", null, true],
  ["anything", [], false],
])("%s lies in %j: %s", (path, claim, isInside) => {
  expect(isInsideClaim(path, claim)).toBe(isInside);
});
