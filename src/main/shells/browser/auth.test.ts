import { describe, expect, it } from "vitest";

import { createAuth } from "./auth.ts";

/** The `Cookie` header a browser sends back for a `Set-Cookie` value. */
function cookieOf(setCookie: string | undefined): string {
  return setCookie?.split(";")[0] ?? "";
}

describe("auth", () => {
  it("exchanges the token for a cookie that scripts and other sites cannot use", () => {
    const auth = createAuth(4000);
    expect(auth.redeem(auth.token)).toMatch(/^coppice-4000=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  });

  it("exchanges the token once", () => {
    const auth = createAuth(4000);
    auth.redeem(auth.token);
    expect(auth.redeem(auth.token)).toBeUndefined();
  });

  it("keeps the token good after wrong ones", () => {
    const auth = createAuth(4000);
    expect([auth.redeem(""), auth.redeem(`${auth.token}x`), auth.redeem(auth.token.slice(1))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(auth.redeem(auth.token)).toBeDefined();
  });

  it("knows its own cookie among others", () => {
    const auth = createAuth(4000);
    const cookie = cookieOf(auth.redeem(auth.token));
    expect(auth.isKnown(`theme=dark; ${cookie}; x=y`)).toBe(true);
  });

  it("does not know a missing, empty, foreign or altered cookie", () => {
    const auth = createAuth(4000);
    const other = createAuth(4000);
    const cookie = cookieOf(auth.redeem(auth.token));
    const foreign = cookieOf(other.redeem(other.token));
    const candidates = [
      undefined,
      "",
      "coppice-4000=",
      foreign,
      `${cookie}x`,
      cookie.replace("4000", "4001"),
      `coppice-4000=${auth.token}`,
    ];
    expect(candidates.map((candidate) => auth.isKnown(candidate))).toEqual(candidates.map(() => false));
  });
});
