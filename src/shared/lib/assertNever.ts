// The end of every exhaustive switch: unreachable at compile time, loud at run time.

/** Throws; reaching it means that a union grew and a switch did not. */
export function assertNever(value: never, what = "case"): never {
  throw new Error(`Unhandled ${what}: ${JSON.stringify(value)}`);
}
