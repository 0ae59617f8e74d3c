import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelOutcome, ModelPort, ModelRequest } from "../engine/ports/model.ts";
import { apiKey, closeServers, keep, requestOf } from "../../../test/support/askModel.ts";
import {
  askModel,
  firstRun,
  makeCassette,
  offering,
  otherRun,
  readTool,
  recordRequests,
  secondTurn,
  tasks,
  unwrap,
  user,
} from "../../../test/support/recordCassette.ts";
import { startScriptedModel } from "../../../test/support/scriptedModel.ts";
import { playCassette, recordCassette } from "./cassette.ts";
import { createOpenAiModel } from "./openai.ts";

afterEach(closeServers);

describe("a cassette", () => {
  it("answers side by side, in another order and another run, as the model did", async () => {
    const file = makeCassette();
    const recorded = await recordRequests(file, [
      ...tasks.map((task) => offering(user(task))),
      ...tasks.map((task) => secondTurn(task, firstRun)),
    ]);
    const model = unwrap(await playCassette(file));
    const replayed = await Promise.all(
      [...tasks.map((task) => offering(user(task))), ...tasks.map((task) => secondTurn(task, otherRun))]
        .toReversed()
        .map((request) => askModel(model, request)),
    );
    expect(replayed.toReversed()).toEqual(recorded);
    expect(recorded.map(({ outcome }) => outcome.kind)).toEqual(recorded.map(() => "completed"));
  });

  it("gives several recordings of one request in order, and the last again and again", async () => {
    const file = makeCassette();
    const outcomes: ModelOutcome[] = [
      { kind: "failed", code: "RATE_LIMITED", message: "slow", retryable: true, retryAfterMs: 5, text: "" },
      { kind: "cut", code: "STREAM_CUT", message: "cut", text: "Hel", usage: null },
      { kind: "completed", text: "Hello", reasoning: "", toolCalls: [], finish: "stop", usage: null },
    ];
    const left = [...outcomes];
    const inner: ModelPort = { complete: () => Promise.resolve(left.shift() ?? { kind: "aborted", text: "" }) };
    const recorder = unwrap(await recordCassette(inner, file));
    for (const _ of outcomes) await askModel(recorder, requestOf());
    // Aborted: it leaves nothing.
    await askModel(recorder, requestOf());
    await recorder.close();
    const model = unwrap(await playCassette(file));
    const played = [];
    for (let time = 0; time < 5; time += 1) played.push((await askModel(model, requestOf())).outcome);
    expect(played).toEqual([...outcomes, outcomes[2], outcomes[2]]);
  });

  it("is continued by a later recording, and stores a conversation once", async () => {
    const file = makeCassette();
    const long = user(`alpha ${"x".repeat(10_000)}`);
    await recordRequests(file, [offering(long)]);
    await recordRequests(file, [offering(long, { role: "assistant", content: "A", toolCalls: [] }, user("go on"))]);
    expect([readFileSync(file, "utf8").trim().split("\n").length, statSync(file).size < 12_000]).toEqual([2, true]);
    const model = unwrap(await playCassette(file));
    expect((await askModel(model, offering(long))).outcome).toMatchObject({ text: "Looking at alpha." });
  });

  it("holds no key, and no secret that the redactor knows, even one that was streamed in two pieces", async () => {
    const file = makeCassette();
    const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");
    const server = keep(
      await startScriptedModel([
        {
          match: /./,
          turns: [
            {
              chunks: ["hun", "ter2"].map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
            },
          ],
        },
      ]),
    );
    const recorder = unwrap(
      await recordCassette(createOpenAiModel({ baseUrl: server.baseUrl, apiKey }), file, { redact }),
    );
    const { outcome } = await askModel(recorder, requestOf({ messages: [user("the password is hunter2")] }));
    await recorder.close();
    const text = readFileSync(file, "utf8");
    const model = unwrap(await playCassette(file, { redact }));
    expect([outcome.text, text.includes("hunter2"), text.includes('"ter2"'), text.includes(apiKey)]).toEqual([
      "hunter2",
      false,
      false,
      false,
    ]);
    expect(await askModel(model, requestOf({ messages: [user("the password is hunter2")] }))).toMatchObject({
      outcome: { kind: "completed", text: "[redacted]" },
      pieces: ["[redacted]"],
    });
  });

  it("obeys an abort while it plays", async () => {
    const file = makeCassette();
    await recordRequests(file, [offering(user("alpha"))]);
    const model = unwrap(await playCassette(file));
    const controller = new AbortController();
    const outcome = model.complete(offering(user("alpha")), {
      signal: controller.signal,
      onData() {},
      onText: () => controller.abort(),
    });
    expect([await outcome, (await askModel(model, offering(user("alpha")))).outcome.kind]).toEqual([
      { kind: "aborted", text: "Looking at alpha." },
      "completed",
    ]);
  });

  it("that cannot be written fails the request that it could not take, and every later one", async () => {
    const inner: ModelPort = {
      complete: () =>
        Promise.resolve({ kind: "completed", text: "Hi", reasoning: "", toolCalls: [], finish: "stop", usage: null }),
    };
    const file = makeCassette();
    const model = unwrap(await recordCassette(inner, file));
    await model.close();
    const outcomes = [(await askModel(model, requestOf())).outcome, (await askModel(model, requestOf())).outcome];
    expect([outcomes, await recordCassette(inner, join(file, "below"))]).toMatchObject([
      [
        { kind: "failed", code: "CASSETTE_UNWRITABLE", retryable: false, text: "Hi" },
        { kind: "failed", code: "CASSETTE_UNWRITABLE" },
      ],
      { ok: false, error: { code: "CASSETTE_UNWRITABLE" } },
    ]);
  });
});

describe("a request without a recording", () => {
  async function mismatch(request: ModelRequest): Promise<string> {
    const file = makeCassette();
    await recordRequests(file, [offering(user("alpha")), secondTurn("beta", firstRun)]);
    const { outcome } = await askModel(unwrap(await playCassette(file)), request);
    if (outcome.kind !== "failed" || outcome.code !== "CASSETTE_MISMATCH") return outcome.kind;
    return outcome.message.replaceAll(file, "F");
  }

  it("says which message differs, and where", async () => {
    const [first, call] = secondTurn("beta", firstRun).messages;
    const changed = offering(first ?? user(""), call ?? user(""), {
      role: "tool",
      callId: "call_1",
      content: "/tmp/x/a.ts of the house, read in 12 ms",
    });
    expect(await mismatch(changed)).toMatch(
      /^No recording in F matches this request\. It differs from the nearest, line \d: message 3 \(tool\) differs at character 35: "…wer to call 1\] <temp>\/a\.ts of the house, read in <duration>", recorded "….*<run>, read in <duration>"\.$/,
    );
  });

  it("says what goes on or ends, and what role is another", async () => {
    const longer = secondTurn("beta", firstRun).messages;
    expect([
      await mismatch(offering(...longer, user("more"))),
      await mismatch(offering(...longer.slice(0, 2))),
      await mismatch(offering(...longer.slice(0, 2), user("more"))),
    ]).toEqual([
      expect.stringMatching(/: it goes on with message 4 \(user\) "more", where the recording ends\.$/),
      expect.stringMatching(
        /: it ends after message 2, where the recording goes on with \(tool\) "\[answer to call 1\] /,
      ),
      expect.stringMatching(/: message 3 is of role user, recorded tool\.$/),
    ]);
  });

  it("says how model and tools differ", async () => {
    const other = { ...readTool, name: "writeFile" };
    const request = requestOf({
      model: "another",
      messages: [user("alpha")],
      tools: [{ ...readTool, description: "Reads more" }, other],
    });
    expect([await mismatch(request), await mismatch({ ...request, model: "scripted", tools: [] })]).toEqual([
      expect.stringMatching(
        /line \d: the model is another, recorded scripted; tools offered that were not when it was recorded: writeFile; tools described otherwise: readFile\.$/,
      ),
      expect.stringMatching(/line \d: tools not offered any more: readFile\.$/),
    ]);
  });

  it("says so when there is no recording at all", async () => {
    const { outcome } = await askModel(unwrap(await playCassette(makeCassette(""))), requestOf());
    expect(outcome).toMatchObject({
      code: "CASSETTE_MISMATCH",
      message: expect.stringContaining("holds no recording") as string,
    });
  });
});
