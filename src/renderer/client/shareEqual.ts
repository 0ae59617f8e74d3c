// Keeps what has not changed the same object from one message to the next. What arrives was cloned on its way, so that
// nothing in it is what was held before; views that compare what they are given would draw all of it again. Pure.

/**
 * `next`, with every part that equals the one at the same place in `held` taken from there; `held` itself where nothing
 * differs. Both are plain data without cycles. What is made anew is not frozen.
 */
export function shareEqual<T>(held: unknown, next: T): T {
  if (Object.is(held, next)) return next;
  if (Array.isArray(next)) return Array.isArray(held) ? (shareList(held, next) as T) : next;
  if (!isRecord(next) || !isRecord(held)) return next;
  return shareRecord(held, next) as T;
}

function shareList(held: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shared = next.map((part, at) => shareEqual(held[at], part));
  return shared.length === held.length && shared.every((part, at) => Object.is(part, held[at])) ? held : shared;
}

type Plain = Readonly<Record<string, unknown>>;

function shareRecord(held: Plain, next: Plain): Plain {
  const names = Object.keys(next);
  const shared = Object.fromEntries(names.map((name) => [name, shareEqual(held[name], next[name])]));
  const isSame =
    names.length === Object.keys(held).length &&
    names.every((name) => Object.hasOwn(held, name) && Object.is(shared[name], held[name]));
  return isSame ? held : shared;
}

function isRecord(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
