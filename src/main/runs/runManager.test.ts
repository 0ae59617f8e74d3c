import { tmpdir } from "node:os";

import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { succeed } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { LiveTexts } from "../pages/liveTexts.ts";
import type { Ports } from "./liveRun.ts";
import { noModel } from "./noModel.ts";
import { RunManager } from "./runManager.ts";

/** The journal of a run whose repository is where it was. */
function journal(): readonly RunEvent[] {
  const folder = tmpdir();
  const { events } = new Story().start();
  return events.map((event) =>
    event.type === "run.created"
      ? {
          ...event,
          data: { ...event.data, repository: { ...event.data.repository, topLevel: folder, commonDir: folder } },
        }
      : event,
  );
}

test.each<[when: string, broken: (store: StorePort) => Partial<Ports>]>([
  [
    "its journal cannot be read once it is held",
    (store) => {
      let readCount = 0;
      return {
        store: {
          ...store,
          readJournal: async () => (readCount++ === 0 ? journal() : Promise.reject(new Error("No."))),
        },
      };
    },
  ],
  ["it cannot be recovered", () => ({ occupancy: { join: () => Promise.reject(new Error("No.")) } as never })],
])("a run that is not gone on with since %s is held by nobody", async (_, broken) => {
  const [{ run }] = journal() as [RunEvent];
  const released: string[] = [];
  const store = {
    boot: "b1",
    holderOf: async () => null,
    acquire: async () => succeed([{ run, epoch: 2 }]),
    release: async (given: string) => void released.push(given),
    verifyRun: async () => [],
    readJournal: async () => journal(),
  } as unknown as StorePort;
  const ports = { home: tmpdir(), store, ...broken(store) } as Ports;
  const runs = new RunManager(
    ports,
    new LiveTexts(),
    async () => succeed(noModel),
    () => true,
  );
  await expect(runs.resume(run)).rejects.toThrow("No.");
  expect(released).toEqual([run]);
});
