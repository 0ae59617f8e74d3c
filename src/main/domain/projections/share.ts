// Structural sharing between two pictures of the same thing: what is equal is the same object, so that a viewer may
// compare by identity. Plain data only.

/** `next`, with every part that is deeply equal to the same part of `previous` replaced by it; `previous` itself when nothing changed. */
export function shareWith<T>(previous: unknown, next: T): T {
  if (
    Object.is(previous, next) ||
    !isPlain(previous) ||
    !isPlain(next) ||
    Array.isArray(previous) !== Array.isArray(next)
  )
    return next;
  const before = previous as Readonly<Record<string, unknown>>;
  const shared = Object.entries(next).map(
    ([key, part]: [string, unknown]) => [key, shareWith(before[key], part)] as const,
  );
  if (
    shared.length === Object.keys(before).length &&
    shared.every(([key, part]) => key in before && Object.is(before[key], part))
  )
    return previous as T;
  return (Array.isArray(next) ? shared.map(([, part]) => part) : Object.fromEntries(shared)) as T;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
