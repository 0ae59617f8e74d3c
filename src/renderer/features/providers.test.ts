import { describe, expect, it } from "vitest";

import { defaultBudget, defaultLimits } from "../../shared/contract/options.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { settingsSchema } from "../../shared/contract/settings.ts";
import { choosing, nameOfAddress, providerIdOf, roleModelsAt, withProviders } from "./providers.ts";

const { maxConcurrent, maxExecutors, maxSubagents, maxChain, leadSteps } = defaultLimits;
const settings: Settings = {
  version: 1,
  providers: [],
  model: null,
  roleModels: {},
  run: {
    approve: "each",
    commands: "ask",
    maxConcurrent,
    maxExecutors,
    maxSubagents,
    maxChain,
    leadSteps,
    budget: { ...defaultBudget, toolCalls: null, inputTokens: null, outputTokens: null },
  },
  policy: "llm",
  sandbox: { network: "off" },
  roles: { repositoryCeiling: "read" },
  recovery: { autoResume: true },
  environment: { path: null },
  appearance: { theme: "system", motion: "system" },
  notifications: { needsYou: true, finished: true, quietHours: null },
  keys: {},
  data: { keepDays: null },
};
const local = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1/", key: { from: "none" } } as const;

describe("a provider that is chosen", () => {
  it("is added once, with each model that was chosen there", () => {
    const once = { ...settings, ...choosing(settings, local, "small") };
    const twice = { ...once, ...choosing(once, { ...local, baseUrl: "http://127.0.0.1:11434/v1" }, "large") };
    expect(settingsSchema.parse(twice)).toMatchObject({
      providers: [
        { id: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: [{ name: "small" }, { name: "large" }] },
      ],
      model: { provider: "ollama", name: "large" },
    });
  });

  it("keeps its key where none is named anew", () => {
    const held = choosing(settings, { ...local, key: { from: "environment", name: "KEY" } }, "small");
    const again = choosing({ ...settings, ...held }, local, "small");
    expect(again.providers?.[0]?.key).toEqual({ from: "environment", name: "KEY" });
  });

  it("has an id that the settings take, and that nobody has", () => {
    expect(["Ollama", "", "Ünïted Models!", "x".repeat(90)].map((name) => providerIdOf(name, ["ollama"]))).toEqual([
      "ollama-2",
      "server",
      "united-models",
      "x".repeat(32),
    ]);
  });

  it("is called by its host, or by its port on this computer", () => {
    expect(["https://api.openai.com/v1", "http://localhost:8000/v1", "nowhere"].map(nameOfAddress)).toEqual([
      "openai.com",
      "This computer, port 8000",
      "Server",
    ]);
  });
});

describe("models of roles", () => {
  const held: Settings = { ...settings, ...choosing(settings, { ...local }, "small") };
  const withRoles: Settings = {
    ...held,
    roleModels: { explorer: { provider: "ollama", name: "small" }, reviewer: { provider: "other", name: "large" } },
  };

  it("hold at their own server", () => {
    expect([roleModelsAt(withRoles, `${local.baseUrl}/`), roleModelsAt(withRoles, "http://127.0.0.1:2/v1")]).toEqual([
      { explorer: "small" },
      {},
    ]);
  });

  it("go with the model that they name, and so does the starred one", () => {
    const [provider] = held.providers;
    if (provider === undefined) throw new Error("No provider was added.");
    const without = [{ ...provider, models: [] }];
    expect(withProviders(withRoles, without)).toEqual({ providers: without, model: null, roleModels: {} });
    expect(withProviders(held, held.providers)).toEqual({ providers: held.providers });
  });
});
