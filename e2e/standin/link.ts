// The line to whoever drives the stand-in: what happened is told, what a person or a page does is asked for. Messages are
// structured clones, as between Electron's processes.

/** A thing that happened, or that shall be done: its name, and what goes with it. */
export interface Happening {
  readonly what: string;
  readonly detail: unknown;
}

export type FromApp =
  | ({ readonly kind: "record" } & Happening)
  | ({ readonly kind: "ask"; readonly id: number } & Happening)
  | { readonly kind: "reply"; readonly id: number; readonly value?: unknown; readonly failure?: string };

export type FromDriver =
  | { readonly kind: "reply"; readonly id: number; readonly value: unknown }
  | ({ readonly kind: "do"; readonly id: number } & Happening);

const waiting = new Map<number, (value: unknown) => void>();
const acts = new Map<string, (detail: never) => unknown>();
let lastId = 0;

function send(message: FromApp): void {
  if (process.send === undefined) throw new Error("The stand-in is driven over IPC: start it with drive.ts.");
  // Whoever drives it may have gone meanwhile; the line says so itself.
  if (process.connected) process.send(message);
}

/** Tells that something happened. */
export function record(what: string, detail: unknown = null): void {
  send({ kind: "record", what, detail });
}

/** Has the driver do something and answers with what came of it. */
export function ask<T>(what: string, detail: unknown): Promise<T> {
  const id = (lastId += 1);
  send({ kind: "ask", id, what, detail });
  return new Promise((resolve) => waiting.set(id, resolve as (value: unknown) => void));
}

/** What the driver may have done here. */
export function allow(what: string, act: (detail: never) => unknown): void {
  acts.set(what, act);
}

process.on("message", (message: FromDriver) => {
  if (message.kind === "do") return void carryOut(message);
  waiting.get(message.id)?.(message.value);
  waiting.delete(message.id);
});

// Nobody is left whose application this is.
process.on("disconnect", () => process.exit(1));

async function carryOut({ id, what, detail }: Extract<FromDriver, { kind: "do" }>): Promise<void> {
  try {
    const act = acts.get(what);
    if (act === undefined) throw new Error(`The stand-in cannot be asked for ${what}.`);
    send({ kind: "reply", id, value: await act(detail as never) });
  } catch (error) {
    send({ kind: "reply", id, failure: String(error) });
  }
}

/** An object that refuses what it does not model, instead of answering `undefined`. */
export function strict<T extends object>(name: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key) {
      if (typeof key === "string" && !(key in target) && key !== "then")
        throw new Error(`The stand-in for Electron does not model ${name}.${key}.`);
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** An event that can be prevented. */
export function cancelable(more: object = {}) {
  const event = { ...more, defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) };
  return event;
}
