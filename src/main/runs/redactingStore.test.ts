import { describe, expect, test } from "vitest";

import type { AppendRequest, StorePort } from "../engine/ports/store.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import { redactingStore } from "./redactingStore.ts";

const run = "r1" as RunId;
const key = `sk-proj-${"aB3dE5gH7jK9mN2p".repeat(2)}`;

function through(request: Partial<AppendRequest>, env = {}): AppendRequest {
  const written: AppendRequest[] = [];
  const store = { append: (one: AppendRequest) => written.push(one) } as unknown as StorePort;
  void redactingStore(store, env).append({
    root: run,
    boot: "b" as never,
    durability: "barrier",
    starts: [],
    fences: [],
    events: [],
    rows: [],
    ...request,
  });
  const [one] = written;
  if (!one) throw new Error("Nothing was written");
  return one;
}

function noteOf(text: string): AppendRequest["events"][number] {
  return { agent: "lead", type: "note.added", run, at: 1, version: 1, data: { kind: "n", text } };
}

describe("what is appended", () => {
  test("holds no secret, in events, rows or answers to requests", () => {
    const written = through({
      events: [noteOf(`Use ${key}.`)],
      rows: [{ table: "approvals", key: { id: "r1-a1" }, set: { summary: `curl -H ${key}`, requested_at: 7 } }],
      takes: [{ request: 1, answer: { error: { message: key } } }],
    });
    expect([JSON.stringify(written).includes(key), written.rows[0]?.set, written.events[0]?.data]).toEqual([
      false,
      { summary: "curl -H [redacted:model-key]", requested_at: 7 },
      { kind: "n", text: "Use [redacted:model-key]." },
    ]);
  });

  test("holds none of the environment's own secrets, whatever their shape", () => {
    const env = { LOCAL_API_KEY: "correct horse battery staple", PATH: "/usr/bin:/usr/local/bin", SHORT_KEY: "none" };
    const written = through(
      { events: [noteOf(`It is correct horse battery staple; none on /usr/bin:/usr/local/bin`)] },
      env,
    );
    expect(written.events[0]?.data).toEqual({
      kind: "n",
      text: "It is [redacted:environment]; none on /usr/bin:/usr/local/bin",
    });
  });

  test("keeps code with a made-up password in it as it was written", () => {
    const code = `const password = "hunter2hunter2"; db("postgres://u:p4ssw0rd@localhost/test")`;
    expect(through({ events: [noteOf(code)] }).events[0]?.data).toEqual({ kind: "n", text: code });
  });
});

test("what is asked of another process holds no secret either", async () => {
  const asked: Json[] = [];
  const store = { putRequest: (_run: RunId, _kind: string, body: Json) => Promise.resolve(asked.push(body)) };
  await redactingStore(store as unknown as StorePort, {}).putRequest(run, "run.input", { text: `Here: ${key}` });
  expect(asked).toEqual([{ text: "Here: [redacted:model-key]" }]);
});
