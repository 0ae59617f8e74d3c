import { afterEach, describe, expect, it } from "vitest";
import { apiKey, ask, closeServers, outcomeOf, serve } from "../../../test/support/askModel.ts";
import { startScriptedModel } from "../../../test/support/scriptedModel.ts";
import { listModels } from "./openai.ts";

afterEach(closeServers);

describe("a refusal", () => {
  it.each([
    ["2", 2_000],
    ["600", 600_000],
    ["tomorrow, perhaps", null],
  ])(
    "with Retry-After %s comes back at once with the wait it names, after one request",
    async (header, retryAfterMs) => {
      const server = await serve({ status: 429, headers: { "retry-after": header } });
      expect((await ask(server)).outcome).toMatchObject({
        kind: "failed",
        code: "RATE_LIMITED",
        retryable: true,
        retryAfterMs,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it("with an HTTP date names the wait until then", async () => {
    const at = new Date(Date.now() + 3_600_000).toUTCString();
    const outcome = await outcomeOf({ status: 503, headers: { "retry-after": at } });
    expect(outcome.kind === "failed" && outcome.retryAfterMs !== null && outcome.retryAfterMs > 3_000_000).toBe(true);
  });

  it("[E32] is told apart by status and body, and shows no key", async () => {
    const key = await outcomeOf({
      status: 401,
      body: JSON.stringify({ error: { message: `Incorrect API key: ${apiKey}` } }),
    });
    expect(key).toMatchObject({ code: "AUTH_FAILED", retryable: false });
    expect(JSON.stringify(key)).not.toContain(apiKey);
    expect(await outcomeOf({ status: 404, body: '{"error":{"code":"model_not_found"}}' })).toMatchObject({
      code: "MODEL_NOT_FOUND",
      retryable: false,
    });
    expect(
      await outcomeOf({ status: 400, body: '{"object":"error","message":"maximum context length is 4096 tokens"}' }),
    ).toMatchObject({ code: "CONTEXT_OVERFLOW" });
    expect(
      await outcomeOf({
        status: 500,
        headers: { "content-type": "text/html" },
        body: "<html><title>Oops</title></html>",
      }),
    ).toMatchObject({ code: "SERVER_ERROR", retryable: true });
  });

  it("by redirect names where it points and sends no key there", async () => {
    const other = await serve({ text: "x" });
    const outcome = await outcomeOf({
      status: 307,
      headers: { location: `${other.baseUrl}/chat/completions` },
      body: "",
    });
    expect(outcome).toMatchObject({
      code: "ENDPOINT_NOT_FOUND",
      message: expect.stringContaining(other.baseUrl) as string,
    });
    expect(other.requests).toEqual([]);
  });
});

describe("a wrong base URL", () => {
  it("[E31] with the endpoint at its end or without the version is named with a better one", async () => {
    const server = await serve({ text: "x" });
    const tooLong = await ask(server, { baseUrl: `${server.baseUrl}/chat/completions` });
    expect(tooLong.outcome).toMatchObject({
      code: "ENDPOINT_NOT_FOUND",
      message: `POST ${server.baseUrl}/chat/completions/chat/completions answered 404: "Not Found": there is no such endpoint. Try the base URL ${server.baseUrl}: /chat/completions is added to it.`,
    });
    const tooShort = await ask(server, { baseUrl: `http://${server.host}` });
    expect(tooShort.outcome).toMatchObject({
      code: "ENDPOINT_NOT_FOUND",
      message: `POST http://${server.host}/chat/completions answered 404: "Not Found": there is no such endpoint. Try the base URL http://${server.host}/v1.`,
    });
  });

  it("[E31] that leads to a page or to other JSON under status 200 is no model server", async () => {
    const page = {
      headers: { "content-type": "text/html" },
      body: "<!doctype html><html><head><title>Welcome</title></head></html>",
    };
    expect(await outcomeOf(page)).toMatchObject({
      kind: "failed",
      code: "NOT_A_MODEL_SERVER",
      message: expect.stringContaining('an HTML page: "Welcome"') as string,
    });
    expect(await outcomeOf({ ...page, headers: { "content-type": "text/event-stream" } })).toMatchObject({
      code: "NOT_A_MODEL_SERVER",
    });
    expect(await outcomeOf({ body: '{"msg":"404 NOT_FOUND"}' })).toMatchObject({
      code: "NOT_A_MODEL_SERVER",
      message: expect.stringContaining("404 NOT_FOUND") as string,
    });
    expect(await outcomeOf({ body: '{"code":500,"msg":"404 NOT_FOUND"}' })).toMatchObject({
      code: "NOT_A_MODEL_SERVER",
    });
    expect(await outcomeOf({ body: '{"error":{"message":"unheard of"}}' })).toMatchObject({
      code: "NOT_A_MODEL_SERVER",
    });
    expect(await outcomeOf({ body: '{"error":{"message":"slow down","code":429}}' })).toMatchObject({
      code: "RATE_LIMITED",
    });
    expect(await outcomeOf({ body: "OK", headers: { "content-type": "text/plain" } })).toMatchObject({
      code: "NOT_A_MODEL_SERVER",
    });
    expect(await outcomeOf({ chunks: [{ msg: "404 NOT_FOUND" }] })).toMatchObject({ code: "NOT_A_MODEL_SERVER" });
  });

  it("[E34] that nothing listens on says so", async () => {
    const server = await startScriptedModel([]);
    await server.close();
    expect((await ask(server)).outcome).toMatchObject({
      kind: "failed",
      code: "ENDPOINT_UNREACHABLE",
      retryable: true,
      message: `nothing is listening on ${server.host} (is the server running?)`,
    });
    const { outcome } = await ask(server, { baseUrl: "http://127.0.0.1:1/v1" });
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "ENDPOINT_UNREACHABLE",
      message: expect.stringContaining("nothing is listening on 127.0.0.1:1 (is the server running?)") as string,
    });
  });

  it("that is none fails without a request", async () => {
    const server = await serve({ text: "x" });
    expect((await ask(server, { baseUrl: "nowhere" })).outcome).toMatchObject({
      kind: "failed",
      code: "ENDPOINT_INVALID",
      retryable: false,
    });
  });
});

describe("listModels", () => {
  it("lists the names", async () => {
    const server = await serve();
    expect(await listModels({ baseUrl: server.baseUrl, apiKey })).toEqual({ ok: true, value: ["scripted"] });
  });

  it("fails as a request does", async () => {
    const server = await serve();
    const gone = await startScriptedModel([]);
    await gone.close();
    expect(await listModels({ baseUrl: `http://${server.host}`, apiKey })).toMatchObject({
      ok: false,
      error: {
        code: "ENDPOINT_NOT_FOUND",
        message: expect.stringContaining(`GET http://${server.host}/models`) as string,
      },
    });
    expect(await listModels({ baseUrl: server.baseUrl, apiKey }, AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { code: "CANCELLED" },
    });
    expect(await listModels({ baseUrl: gone.baseUrl, apiKey })).toMatchObject({
      ok: false,
      error: { code: "ENDPOINT_UNREACHABLE" },
    });
  });
});
