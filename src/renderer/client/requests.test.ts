import { describe, expect, it } from "vitest";

import type { WorkbenchBridge } from "../../shared/contract/bridge.ts";
import type { CommandEnvelope } from "../../shared/contract/commands.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { createRequests, newCommandId } from "./requests.ts";

const run = "run-1" as RunId;

function createHandBridge(answer: (sent: unknown) => Result<unknown>) {
  const sent: unknown[] = [];
  const take = (message: unknown) => {
    sent.push(message);
    return Promise.resolve(answer(message));
  };
  return { sent, bridge: { readPage: take, execute: take } as unknown as WorkbenchBridge };
}

describe("a page that is read", () => {
  it("is checked, frozen, and rid of members that the window does not know", async () => {
    const { sent, bridge } = createHandBridge(() =>
      succeed({ total: 1, moments: [{ n: 1, at: 2, kind: "stop", count: 1, more: true }] }),
    );
    const page = await createRequests(bridge).readPage("moments", { run });
    expect(sent).toEqual([{ kind: "moments", run }]);
    expect(page).toEqual(succeed({ total: 1, moments: [{ n: 1, at: 2, kind: "stop", count: 1 }] }));
    expect(page.ok && [page.value, page.value.moments, page.value.moments[0]].every(Object.isFrozen)).toBe(true);
  });

  it("is a failure when it is not what was asked for", async () => {
    const { bridge } = createHandBridge(() => succeed({ items: [], next: null }));
    expect(await createRequests(bridge).readPage("moments", { run })).toMatchObject({
      ok: false,
      error: { code: "UNREADABLE_PAGE" },
    });
  });
});

describe("a command", () => {
  it("carries an id of its own, or that of the attempt before it", async () => {
    const { sent, bridge } = createHandBridge((message) =>
      succeed({ commandId: (message as CommandEnvelope).commandId, run, at: 7 }),
    );
    const { execute } = createRequests(bridge);
    const commandId = newCommandId();
    const receipts = [
      await execute({ type: "pause", run }),
      await execute({ type: "pause", run }),
      await execute({ type: "pause", run }, commandId),
    ];
    expect(new Set((sent as CommandEnvelope[]).map((message) => message.commandId)).size).toBe(3);
    expect(receipts[2]).toEqual(succeed({ commandId, run, at: 7 }));
  });

  it("passes on why it could not be carried out", async () => {
    const { bridge } = createHandBridge(() => fail({ code: "RUN_STOPPED", message: "" }));
    expect(await createRequests(bridge).execute({ type: "cancel", run })).toMatchObject({
      ok: false,
      error: { code: "RUN_STOPPED" },
    });
  });
});
