import { describe, expect, it } from "vitest";

import { allowedNames, isLoopback, isOwnRequest, urlHost } from "./hosts.ts";

const loopback = allowedNames("127.0.0.1");

describe("hosts", () => {
  it.each(["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "localhost"])(
    "answers to %s",
    (host) => {
      expect(isOwnRequest({ host }, loopback)).toBe(true);
    },
  );

  it.each([
    "evil.example:4000",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "127.0.0.1:4000/x",
    "0.0.0.0:4000",
    "",
  ])("does not answer to %j", (host) => {
    expect(isOwnRequest({ host }, loopback)).toBe(false);
  });

  it("does not answer to a request without Host", () => {
    expect(isOwnRequest({}, loopback)).toBe(false);
  });

  it("answers under the port of a tunnel, as long as page and request agree on it", () => {
    expect(isOwnRequest({ host: "localhost:8080", origin: "http://localhost:8080" }, loopback)).toBe(true);
  });

  it.each(["http://localhost:3000", "https://localhost:4000", "http://evil.example", "null"])(
    "refuses the origin %s",
    (origin) => {
      expect(isOwnRequest({ host: "localhost:4000", origin }, loopback)).toBe(false);
    },
  );

  it("answers to the host it was told to listen on", () => {
    expect(isOwnRequest({ host: "workshop:4000" }, allowedNames("Workshop"))).toBe(true);
  });

  it("writes an IPv6 address in brackets", () => {
    expect([urlHost("::1"), urlHost("127.0.0.1")]).toEqual(["[::1]", "127.0.0.1"]);
  });

  it("calls only loopback loopback", () => {
    expect(["127.0.0.1", "localhost", "::1", "0.0.0.0", "192.168.0.7"].map(isLoopback)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
