// Claims that do not overlap share no file: else two executors could be given the same one.

import fc from "fast-check";
import { expect, test } from "vitest";

import { claimsOverlap, isInsideClaim } from "./claims.ts";

const part = fc.constantFrom("a", "ab", "b.js", "a.js", "(shop)", "@x", ".env", "!a");
const sign = fc.constantFrom("*", "**", "a*", "*.js", "?", "{a,b}", "[ab]", "@(a|ab)");
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const entry = fc.oneof(
  path,
  fc
    .array(fc.oneof({ weight: 2, arbitrary: part }, sign), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/")),
  fc.constant("."),
);
const claim = fc.option(fc.array(entry, { maxLength: 3 }));

test("no path lies in two claims that do not overlap, and overlap has no direction", () => {
  fc.assert(
    fc.property(claim, claim, fc.array(path, { minLength: 1, maxLength: 8 }), (left, right, paths) => {
      fc.pre(left !== null && right !== null);
      const shared = paths.filter((one) => isInsideClaim(one, left) && isInsideClaim(one, right));
      expect(claimsOverlap(left, right)).toBe(claimsOverlap(right, left));
      expect(shared.length === 0 || claimsOverlap(left, right)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test("a file that a claim names lies in it, whatever signs its name holds", () => {
  fc.assert(
    fc.property(path, (one) => {
      expect([isInsideClaim(one, [one]), claimsOverlap([one], [one])]).toEqual([true, true]);
    }),
  );
});
