// One of two processes that want the same run: takes its lease when it is told to, says what it got, gives it back.
// Lines on standard input: `take`, `give`, `write` under the epoch that it last had. Lines on standard output: `ready`,
// `took EPOCH`, `refused CODE`, `gave`, `wrote`.

import { createInterface } from "node:readline";

import { note, request } from "../../src/main/store/fixture.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";

const [folder = "", run = ""] = process.argv.slice(2);
const opened = await openStore({ folder });
if (!opened.ok) throw new Error(opened.error.message);
const store = opened.value;
let epoch = 0;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "take") {
    const taken = await store.acquire(run as RunId);
    if (taken.ok) epoch = taken.value[0]?.epoch ?? 0;
    process.stdout.write(taken.ok ? `took ${taken.value[0]?.epoch ?? 0}\n` : `refused ${taken.error.code}\n`);
  } else if (line === "write") {
    process.stdout.write(`${await write()}\n`);
  } else {
    await store.release(run as RunId);
    process.stdout.write("gave\n");
  }
}
await store.close();

/** One event at the head as it stands, under the epoch that this process last had: only that decides. */
async function write(): Promise<string> {
  const head = (await store.readJournal(run as RunId)).length;
  const fences = [{ run: run as RunId, epoch, head }];
  const written = await store.append(request(store, run as RunId, [note(run as RunId, "late")], { fences }));
  return written.ok ? "wrote" : `refused ${written.error.code}`;
}
