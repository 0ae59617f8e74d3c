// For tests: a process of its own that opens the store and does what its parent says over IPC. It may be killed at any time.

import type { RunId } from "../../shared/contract/ids.ts";
import { fence, note, request, requireStore } from "./fixture.ts";
import type { StorePort } from "../engine/ports/store.ts";

/** What the parent asks for. `write` appends for ever and tells of each acknowledgement. */
export type Order =
  | { readonly order: "acquire"; readonly run: RunId }
  | { readonly order: "release"; readonly run: RunId }
  | { readonly order: "put"; readonly run: RunId }
  | { readonly order: "write"; readonly run: RunId }
  | { readonly order: "close" };

export type Report =
  | { readonly report: "open" | "released" | "put" | "closed" }
  | { readonly report: "acquired"; readonly epoch: number | null; readonly code: string | null }
  | { readonly report: "stored"; readonly key: string };

function tell(report: Report): void {
  process.send?.(report);
}

async function write(store: StorePort, run: RunId): Promise<void> {
  const acquired = await store.acquire(run);
  if (!acquired.ok) throw new Error(acquired.error.message);
  const epoch = acquired.value[0]?.epoch ?? 0;
  let head = (await store.findRun(run)).ok ? (await store.readJournal(run)).length : 0;
  const append = async (): Promise<void> => {
    const key = `${store.boot}-${head}`;
    const result = store.append(
      request(store, run, [note(run, "a", { key }), note(run, "b")], { fences: [fence(run, head, epoch)] }),
    );
    head += 2;
    if (!(await result).ok) throw new Error("an append of the only writer was refused");
    tell({ report: "stored", key });
  };
  // Five in flight at a time, so that a kill hits groups of several requests.
  for (;;) await Promise.all([append(), append(), append(), append(), append()]);
}

async function obey(store: StorePort, order: Order): Promise<void> {
  if (order.order === "write") return write(store, order.run);
  if (order.order === "acquire") {
    const result = await store.acquire(order.run);
    return tell({
      report: "acquired",
      epoch: result.ok ? (result.value[0]?.epoch ?? null) : null,
      code: result.ok ? null : result.error.code,
    });
  }
  if (order.order === "release") {
    await store.release(order.run);
    return tell({ report: "released" });
  }
  if (order.order === "put") {
    await store.putRequest(order.run, "message", { text: "hello" });
    return tell({ report: "put" });
  }
  await store.close();
  tell({ report: "closed" });
  process.disconnect();
}

const store = await requireStore(process.argv[2] ?? "");
process.on("message", (order: Order) => void obey(store, order));
tell({ report: "open" });
