// The wait that a server names in its headers. Parsed as it stands, never capped: whether to wait that long is the caller's.

const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .+\b(?:gmt|\d{4})$/i;

/** ms from `retry-after-ms` or `Retry-After` (seconds or an HTTP date, against `now` in epoch ms); `null` when absent or garbage. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  return (
    readNumber(headers.get("retry-after-ms"), 1) ??
    readNumber(headers.get("retry-after"), 1000) ??
    readDate(headers.get("retry-after"), now)
  );
}

function readNumber(value: string | null, unitMs: number): number | null {
  if (value === null || !/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return null;
  return Math.min(Math.ceil(Number(value) * unitMs), Number.MAX_SAFE_INTEGER);
}

function readDate(value: string | null, now: number): number | null {
  // `Date.parse` takes nearly anything for a date, so the form is checked first.
  if (value === null || !httpDate.test(value.trim())) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
