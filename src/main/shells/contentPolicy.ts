// What a page of Coppice may load and do: only what came with it. Both shells send these headers.

const directives = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "worker-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

function policyText(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}

export const contentPolicy = policyText(directives);

/** For a page of text and one style sheet in its head: nothing else loads, not even from its own origin. `styleHash` is the sheet's `sha256-…`. */
export function textPagePolicy(styleHash: string): string {
  const { "base-uri": base, "form-action": form, "frame-ancestors": ancestors } = directives;
  return policyText({
    "default-src": "'none'",
    "style-src": `'${styleHash}'`,
    "base-uri": base,
    "form-action": form,
    "frame-ancestors": ancestors,
  });
}

/** Sent with every response, whoever asked. Nothing is cached: a page may show what a repository holds. */
export const commonHeaders = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), usb=(), serial=(), hid=(), payment=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;
