import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { apiKey, closeServers, keep, serve } from "../../../test/support/askModel.ts";
import { startScriptedModel } from "../../../test/support/scriptedModel.ts";
import { describeEndpoint, findLocalServers, usualPlaces } from "./catalog.ts";

afterEach(closeServers);

/** A server on loopback that answers every request with `body`, or never. */
async function serveList(body: string | null): Promise<number> {
  const server = createServer((_, response) => {
    if (body !== null) response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("describeEndpoint", () => {
  it("gives what the server says of a model before what its name says, and nothing where nobody says", async () => {
    const models = [
      { id: "openai/gpt-4o", context_length: 64_000 },
      { id: "gpt-4o" },
      { id: "qwen3-coder", max_model_len: 32_768 },
      { id: "llama3.2", context_window: "large" },
    ];
    const port = await serveList(JSON.stringify({ object: "list", data: models }));
    const price = { input: 2_500_000, output: 10_000_000 };
    expect(await describeEndpoint({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey })).toEqual({
      ok: true,
      value: [
        { id: "openai/gpt-4o", contextTokens: 64_000, price },
        { id: "gpt-4o", contextTokens: 128_000, price },
        { id: "qwen3-coder", contextTokens: 32_768, price: null },
        { id: "llama3.2", contextTokens: null, price: null },
      ],
    });
  });

  it("fails as a request does", async () => {
    const gone = await startScriptedModel([]);
    await gone.close();
    expect(await describeEndpoint({ baseUrl: gone.baseUrl, apiKey: null })).toMatchObject({
      ok: false,
      error: { code: "ENDPOINT_UNREACHABLE" },
    });
  });
});

describe("findLocalServers", () => {
  const portOf = (host: string): number => Number(host.split(":")[1]);

  it("finds those that answer, in order, and leaves out what is silent, gone or something else", async () => {
    const gone = await startScriptedModel([]);
    await gone.close();
    const [first, last] = [keep(await serve()), keep(await serve())];
    const places = [
      { name: "First", port: portOf(first.host) },
      { name: "Silent", port: await serveList(null) },
      { name: "Gone", port: portOf(gone.host) },
      { name: "Something else", port: await serveList("<!doctype html>") },
      { name: "Last", port: portOf(last.host) },
    ];
    expect(await findLocalServers(places)).toEqual([
      { name: "First", baseUrl: first.baseUrl, models: ["scripted"] },
      { name: "Last", baseUrl: last.baseUrl, models: ["scripted"] },
    ]);
  });

  it("knows where local servers usually are", () => {
    expect(usualPlaces.map((place) => place.port)).toEqual([11434, 1234, 8080, 8000]);
  });
});
