// The one way into the store: takes secrets out of every text before it is written, whoever words it. What is not stored
// cannot leak into logs, exports or backups, and agents read only what was stored.

import { redactSure } from "../agents/redact.ts";
import type { StorePort } from "../engine/ports/store.ts";

/** Names of environment variables that hold a secret. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
/** Shorter values are words; a path is a place. */
const leastLength = 16;

/** `store`, with what has the shape of a secret, and the very values of this process's own, replaced by marks in all that is appended or asked for. `named`: variables that hold a secret under any name, as of now. */
export function redactingStore(
  store: StorePort,
  env: Readonly<Record<string, string | undefined>>,
  named: () => readonly string[] = () => [],
): StorePort {
  const redact = redactorOf(env, named);
  return {
    ...store,
    append: (request) =>
      store.append({
        ...request,
        events: request.events.map((event) => ({ ...event, data: deep(event.data, redact) }) as typeof event),
        rows: request.rows.map((row) => ({ ...row, set: deep(row.set, redact) })),
        ...(request.takes === undefined ? {} : { takes: deep(request.takes, redact) }),
      }),
    putRequest: (run, kind, body) => store.putRequest(run, kind, deep(body, redact)),
  };
}

/** Takes secrets out of words: by their shape, and those of this environment by their very value. */
export function redactorOf(
  env: Readonly<Record<string, string | undefined>>,
  named: () => readonly string[] = () => [],
): (text: string) => string {
  const own = valuesOf(
    env,
    Object.keys(env).filter((name) => secretName.test(name)),
  );
  return (text) => {
    let known = text;
    for (const value of [...own, ...valuesOf(env, named())]) known = known.replaceAll(value, "[redacted:environment]");
    return redactSure(known);
  };
}

/** Values that can be told from words and paths. */
function valuesOf(env: Readonly<Record<string, string | undefined>>, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = env[name] ?? "";
    return value.length >= leastLength && !value.includes("/") ? value : [];
  });
}

/** Every text in a value of plain data; what holds none is the same object. */
function deep<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === "string") return (value.length < leastLength ? value : redact(value)) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => deep(item, redact));
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  const entries = Object.entries(value).map(([name, item]) => [name, deep(item as unknown, redact)] as const);
  const isSame = entries.every(([name, item]) => item === (value as Record<string, unknown>)[name]);
  return isSame ? value : (Object.fromEntries(entries) as T);
}
