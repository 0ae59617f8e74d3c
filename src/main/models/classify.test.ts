import { describe, expect, it } from "vitest";
import { classifyErrorObject, classifyStatus } from "./classify.ts";
import { checkEndpoint, maskSecrets, suggestBaseUrl } from "./endpoint.ts";
import { classifyNetworkError } from "./network.ts";
import { wordsOf, wordsOfBody } from "./refusal.ts";
import { readRetryAfter } from "./retryAfter.ts";

const place = {
  host: "the.host",
  baseUrl: "http://the.host",
  request: "POST http://the.host/chat/completions",
  model: "m",
  hasKey: true,
};
const classify = (status: number, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return classifyStatus(status, wordsOfBody(text, "secret-key"), null, place);
};

describe("classifyStatus", () => {
  it.each([
    [401, { error: { message: "no" } }, "AUTH_FAILED", false],
    [403, "<html><title>Forbidden</title></html>", "AUTH_FAILED", false],
    [402, {}, "QUOTA_EXHAUSTED", false],
    [429, { error: { code: "insufficient_quota" } }, "QUOTA_EXHAUSTED", false],
    [429, "slow down", "RATE_LIMITED", true],
    [404, { error: { code: "model_not_found" } }, "MODEL_NOT_FOUND", false],
    [404, { error: 'model "m" not found, try pulling it first' }, "MODEL_NOT_FOUND", false],
    [404, { error: { message: "The model `m` does not exist" } }, "MODEL_NOT_FOUND", false],
    [404, { detail: "Not Found" }, "ENDPOINT_NOT_FOUND", false],
    [405, "", "ENDPOINT_NOT_FOUND", false],
    [308, "", "ENDPOINT_NOT_FOUND", false],
    [400, { error: { code: "context_length_exceeded" } }, "CONTEXT_OVERFLOW", false],
    [
      400,
      { object: "error", message: "This model's maximum context length is 4096 tokens" },
      "CONTEXT_OVERFLOW",
      false,
    ],
    [
      400,
      { error: { type: "exceed_context_size_error", message: "the request exceeds the available context size" } },
      "CONTEXT_OVERFLOW",
      false,
    ],
    [413, "", "CONTEXT_OVERFLOW", false],
    [400, { error: { message: "temperature out of range" } }, "BAD_REQUEST", false],
    [422, { detail: [{ msg: "field required" }] }, "BAD_REQUEST", false],
    [500, "oops", "SERVER_ERROR", true],
    [503, "", "SERVER_ERROR", true],
    [529, "", "SERVER_ERROR", true],
  ])("reads %i %j as %s", (status, body, code, retryable) => {
    expect(classify(status, body)).toMatchObject({ kind: "failed", code, retryable });
  });

  it("names the exact URL and a suggestion for a wrong base URL", () => {
    expect(classify(404, { detail: "Not Found" }).message).toBe(
      'POST http://the.host/chat/completions answered 404: "Not Found": there is no such endpoint. Try the base URL http://the.host/v1.',
    );
  });

  it("quotes a page by its title only, and no more than an excerpt", () => {
    expect(classify(502, `<!DOCTYPE html><head><title>Bad gateway</title></head>${"<p>".repeat(900)}`).message).toBe(
      'the.host failed (502): "Bad gateway".',
    );
    expect(classify(500, "x".repeat(5000)).message.length).toBeLessThan(400);
  });

  it("shows no key, whole or masked by the server", () => {
    const { message } = classify(401, { error: { message: "Incorrect API key provided: secret-key, sk-ab****wxyz." } });
    expect(message).toBe(
      'the.host refused the API key (401): "Incorrect API key provided: [key], [key]". Set a key that is valid for this provider.',
    );
  });
});

describe("classifyErrorObject", () => {
  it.each([
    [{ code: 429, message: "slow" }, "RATE_LIMITED"],
    [{ type: "rate_limit_error" }, "RATE_LIMITED"],
    [{ type: "overloaded_error" }, "SERVER_ERROR"],
    [{ code: "invalid_api_key" }, "AUTH_FAILED"],
    [{ message: "maximum context length exceeded" }, "CONTEXT_OVERFLOW"],
    [{ message: "who knows" }, "SERVER_ERROR"],
  ])("reads %j as %s", (error, code) => {
    expect(classifyErrorObject(wordsOf({ error }, null), "SERVER_ERROR", place)).toMatchObject({ code });
  });
});

describe("maskSecrets", () => {
  it("hides keys of known forms, bearer tokens and passwords in URLs", () => {
    expect(maskSecrets("sk-abc123 Bearer eyJabc.def http://me:pw@host AIzaSyA1234567", null)).toBe(
      "[key] Bearer [key] http://[key]@host [key]",
    );
  });

  it("leaves words alone that a placeholder key happens to be", () => {
    expect(maskSecrets("is none running?", "none")).toBe("is none running?");
  });
});

describe("checkEndpoint", () => {
  it.each([
    ["localhost:8080"],
    ["not a url"],
    ["ftp://host/v1"],
    ["http://me:pw@host/v1"],
    ["http://host/v1?api-version=1"],
  ])("finds the problem of %s without repeating a password", (baseUrl) => {
    const { problem } = checkEndpoint({ baseUrl, apiKey: null });
    expect(problem).toMatchObject({ code: "ENDPOINT_INVALID" });
    expect(problem?.message).not.toContain("pw");
  });

  it("finds a key that no header may hold, without repeating it", () => {
    const { problem } = checkEndpoint({ baseUrl: "http://host/v1", apiKey: "secret\u2019key" });
    expect(problem).toMatchObject({ code: "AUTH_FAILED" });
    expect(problem?.message).not.toContain("secret");
  });

  it("takes blanks and slashes around them away", () => {
    expect(checkEndpoint({ baseUrl: " http://host/v1// ", apiKey: " key\n" })).toEqual({
      baseUrl: "http://host/v1",
      apiKey: "key",
      host: "host",
      problem: null,
    });
  });
});

describe("suggestBaseUrl", () => {
  it("strips the endpoint, adds the version, or asks to check", () => {
    expect(suggestBaseUrl("http://h/v1/chat/completions")).toContain("http://h/v1:");
    expect(suggestBaseUrl("http://h:1")).toContain("http://h:1/v1.");
    expect(suggestBaseUrl("http://h/api/v1")).toBe("Check the base URL http://h/api/v1.");
  });
});

describe("readRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  it.each([
    ["2", 2_000],
    ["600", 600_000],
    ["86400", 86_400_000],
    ["1.5", 1_500],
    ["Thu, 01 Jan 2026 12:00:07 GMT", 7_000],
    ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["banana 3", null],
    ["-5", null],
    ["", null],
  ])("reads %j as %j ms", (value, waitMs) => {
    expect(readRetryAfter(new Headers({ "retry-after": value }), now)).toBe(waitMs);
  });

  it("prefers milliseconds and is null without a header", () => {
    expect(readRetryAfter(new Headers({ "retry-after-ms": "250", "retry-after": "9" }), now)).toBe(250);
    expect(readRetryAfter(new Headers(), now)).toBeNull();
  });
});

describe("classifyNetworkError", () => {
  const coded = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
  const came = { text: "Hel", usage: null };
  it.each([
    ["ECONNREFUSED", "ENDPOINT_UNREACHABLE", true],
    ["ENOTFOUND", "ENDPOINT_UNREACHABLE", true],
    ["EHOSTUNREACH", "ENDPOINT_UNREACHABLE", true],
    ["UND_ERR_CONNECT_TIMEOUT", "ENDPOINT_UNREACHABLE", false],
    ["CERT_HAS_EXPIRED", "ENDPOINT_UNREACHABLE", false],
    ["HPE_INVALID_CONSTANT", "ENDPOINT_UNREACHABLE", false],
  ])("unwraps %s", (code, expected, retryable) => {
    const error = new Error("Connection error.", { cause: coded(code) });
    expect(classifyNetworkError(error, { host: "h:1", apiKey: null, hasBegun: false }, came)).toMatchObject({
      kind: "failed",
      code: expected,
      retryable,
    });
  });

  it("takes any error after the head for a cut, and keeps what came", () => {
    expect(classifyNetworkError(coded("ETIMEDOUT"), { host: "h:1", apiKey: null, hasBegun: true }, came)).toMatchObject(
      { kind: "cut", code: "STREAM_CUT", text: "Hel" },
    );
  });
});
