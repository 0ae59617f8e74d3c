// Who may look: one token, printed once and good for one exchange, then a cookie for as long as this process lives.
// Secrets are compared by hash in constant time and never logged.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const secretBytes = 32;

export interface Auth {
  /** For the printed URL. */
  readonly token: string;
  /** Exchanges the token for a `Set-Cookie` value, once; `undefined` for any other text and ever after. */
  redeem(candidate: string): string | undefined;
  /** Whether a request's `Cookie` header carries the session. */
  isKnown(cookieHeader: string | undefined): boolean;
}

/** `port` names the cookie: cookies are shared between the ports of a host, and two servers must not sign each other out. */
export function createAuth(port: number): Auth {
  const token = secret();
  const session = secret();
  const cookieName = `coppice-${port}`;
  let isTokenUsed = false;

  return {
    token,
    redeem(candidate) {
      if (!isSame(candidate, token) || isTokenUsed) return undefined;
      isTokenUsed = true;
      return `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    },
    isKnown(cookieHeader) {
      const value = findCookie(cookieHeader, cookieName);
      // Until the token was exchanged nobody has the session, so nobody can be known.
      return value !== undefined && isSame(value, session) && isTokenUsed;
    },
  };
}

function secret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** Hashing first makes both sides equally long, which `timingSafeEqual` demands and which hides the secret's length. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function findCookie(header: string | undefined, name: string): string | undefined {
  const pair = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
