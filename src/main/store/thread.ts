// The main side of the store's thread: sends calls, matches replies by id, and knows when the thread is dead.
// A call without an answer within its limit ends the thread: what it would still write is then never acknowledged.

import { Worker } from "node:worker_threads";

import type { BootId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { codeOf, StoreError, toFailure } from "./failure.ts";
import type { CallName, Reply, StoreCalls, WorkerInput } from "./protocol.ts";

/** A migration with its backup may take long; a call waits at most for other processes and a slow disk, unless it goes through the whole file. */
const openLimitMs = 10 * 60_000;
const callLimitMs = 60_000;
const wholeFileLimitMs = 10 * 60_000;
const ofWholeFile: ReadonlySet<CallName> = new Set(["compact", "repair", "sweepPayloads"]);

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: StoreError) => void;
  readonly timer: NodeJS.Timeout;
}

export interface Thread {
  readonly boot: BootId;
  /** Rejects with `StoreError`: the call's own failure, or `STORE_UNAVAILABLE` when the thread is closed, dead or does not answer. */
  call<N extends CallName>(name: N, ...args: Parameters<StoreCalls[N]>): Promise<ReturnType<StoreCalls[N]>>;
  /** Keeps the process alive while nothing is pending, or lets it end. */
  keepAlive(isOn: boolean): void;
  onForeignCommit(listener: () => void): void;
  /** Carries out what was asked for, then closes. May be called twice. */
  close(): Promise<void>;
}

function unavailable(what: string): Failure {
  return { code: "STORE_UNAVAILABLE", message: `The store ${what}. Start Coppice again to go on.` };
}

/** What ended the thread: where SQLite has named it, in the words that are for that. */
function deathBy(error: unknown, how: string): Failure {
  if (codeOf(error).startsWith("SQLITE_")) return toFailure(error);
  return unavailable(`${how} (${error instanceof Error ? error.message : String(error)})`);
}

/** Starts the thread and waits until the journal is open. `url` is the file that the thread runs. */
export async function startThread(url: URL, input: WorkerInput): Promise<Result<Thread>> {
  const worker = new Worker(url, { workerData: input, execArgv: [], name: "store" });
  const opening = Promise.withResolvers<Reply>();
  const refuse = (failure: Failure): void => opening.resolve({ kind: "refused", failure });
  const limit = setTimeout(() => refuse(unavailable("did not open in ten minutes")), openLimitMs);
  const onError = (error: unknown): void => refuse(deathBy(error, "could not start"));
  worker.once("message", opening.resolve);
  worker.once("error", onError);
  worker.once("exit", () => refuse(unavailable("ended while it opened")));
  const first = await opening.promise;
  clearTimeout(limit);
  if (first.kind === "opened") return succeed(connect(worker, first.boot));
  await worker.terminate();
  return fail(first.kind === "refused" ? first.failure : unavailable("answered out of turn"));
}

function connect(worker: Worker, boot: BootId): Thread {
  const pending = new Map<number, Pending>();
  const listeners = new Set<() => void>();
  let lastId = 0;
  let isHeld = false;
  let closing: Promise<void> | null = null;
  let dead: Failure | null = null;

  const settleRef = (): void => {
    if (pending.size > 0 || isHeld) worker.ref();
    else worker.unref();
  };
  const finish = (id: number): Pending | undefined => {
    const entry = pending.get(id);
    if (!entry) return undefined;
    clearTimeout(entry.timer);
    pending.delete(id);
    settleRef();
    return entry;
  };
  const die = (failure: Failure): void => {
    dead ??= failure;
    for (const id of pending.keys()) finish(id)?.reject(new StoreError(dead));
    void worker.terminate();
  };
  const receive = (reply: Reply): void => {
    if (reply.kind === "value") finish(reply.id)?.resolve(reply.value);
    if (reply.kind === "failure") finish(reply.id)?.reject(new StoreError(reply.failure));
    if (reply.kind === "foreignCommit") for (const listener of listeners) listener();
  };
  worker.on("message", receive);
  worker.on("error", (error) => die(deathBy(error, "failed")));
  worker.on("exit", () => die(unavailable(closing ? "is closed" : "ended without notice")));
  settleRef();

  const send = async <N extends CallName>(
    name: N,
    args: Parameters<StoreCalls[N]>,
  ): Promise<ReturnType<StoreCalls[N]>> => {
    if (dead) throw new StoreError(dead);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = (lastId += 1);
    const limitMs = ofWholeFile.has(name) ? wholeFileLimitMs : callLimitMs;
    const timer = setTimeout(() => die(unavailable(`did not answer ${name} within ${limitMs / 1_000} s`)), limitMs);
    pending.set(id, { resolve, reject, timer });
    settleRef();
    worker.postMessage({ id, name, args });
    // The reply to a call carries what `StoreCalls` says it does.
    return (await promise) as ReturnType<StoreCalls[N]>;
  };
  const shutDown = async (): Promise<void> => {
    try {
      await send("close", []);
    } finally {
      dead ??= unavailable("is closed");
      await worker.terminate();
    }
  };

  return {
    boot,
    async call(name, ...args) {
      if (closing) throw new StoreError(unavailable("is closed"));
      return send(name, args);
    },
    keepAlive(isOn) {
      isHeld = isOn;
      settleRef();
    },
    onForeignCommit: (listener) => void listeners.add(listener),
    close: () => (closing ??= shutDown()),
  };
}
