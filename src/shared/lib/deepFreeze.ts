// Freezes plain data all the way down. Snapshots pass through it in main and again in the renderer,
// because a structured clone arrives thawed.

/** Freezes `value` and everything plain below it, in place, and returns it. Parts that are frozen already are not entered again, so structural sharing stays cheap. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
