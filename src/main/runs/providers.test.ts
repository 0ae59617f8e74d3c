import { describe, expect, it } from "vitest";
import { succeed } from "../../shared/lib/result.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import { defaultSettings } from "../settings/defaultSettings.ts";
import { contextTokensOf, findKey, priceOf } from "./providers.ts";

const keychain: KeyStore = {
  place: "a test's",
  find: (name) => Promise.resolve(name === "team" ? "kept" : null),
  keep: () => Promise.resolve(succeed(null)),
  forget: () => Promise.resolve(succeed(null)),
};
const own = { name: "small", price: { input: 1, output: 2 }, contextTokens: 8_000 };
const settings: Settings = {
  ...defaultSettings,
  providers: [
    { id: "local", name: "Local", baseUrl: "http://127.0.0.1:11434/v1/", key: { from: "none" }, models: [own] },
    { id: "team", name: "Team", baseUrl: "https://models.example/v1", key: { from: "keychain" }, models: [] },
    {
      id: "lab",
      name: "Lab",
      baseUrl: "https://lab.example/v1",
      key: { from: "environment", name: "LAB_KEY" },
      models: [{ ...own, contextTokens: 4_000 }],
    },
  ],
};
const env = { OPENAI_API_KEY: "from the environment", LAB_KEY: " of the lab " };

describe("the provider at an address", () => {
  it("says where the key is, however the address is written; without one it is the environment's", async () => {
    const addresses = [
      "http://127.0.0.1:11434/v1",
      "https://MODELS.example/v1/",
      "https://lab.example/v1",
      "https://elsewhere.example/v1",
    ];
    expect(await Promise.all(addresses.map((address) => findKey(settings, address, env, keychain)))).toEqual([
      null,
      "kept",
      "of the lab",
      "from the environment",
    ]);
  });

  it("knows its models better than the table does", () => {
    expect([
      priceOf(settings, "http://127.0.0.1:11434/v1", "small"),
      priceOf(settings, "https://models.example/v1", "small"),
      contextTokensOf(settings, "small"),
      contextTokensOf(settings, "nobody knows it"),
    ]).toEqual([{ input: 1, output: 2 }, null, 4_000, null]);
  });
});
