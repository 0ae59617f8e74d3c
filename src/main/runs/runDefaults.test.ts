import { expect, test } from "vitest";

import type { StartRun } from "../../shared/contract/commands.ts";
import { bodySchemas } from "../shells/requestSchemas.ts";
import { defaultSettings } from "../settings/defaultSettings.ts";
import { assignmentOf } from "./runDefaults.ts";

const baseUrl = "http://127.0.0.1:1/v1";
const settings = {
  ...defaultSettings,
  providers: [{ id: "here", name: "Here", baseUrl: `${baseUrl}/`, key: { from: "none" as const }, models: [] }],
  roleModels: { explorer: { provider: "here", name: "small" }, reviewer: { provider: "away", name: "large" } },
};
const prices: Readonly<Record<string, { readonly input: number; readonly output: number }>> = {
  main: { input: 3, output: 9 },
  small: { input: 1, output: 2 },
};
const priceOf = (_baseUrl: string, model: string) => prices[model] ?? null;
const assign = (more: Partial<StartRun>) =>
  assignmentOf(
    { type: "startRun", folder: "/repo", task: "Look.", model: "main", baseUrl, ...more },
    { env: {}, settings, priceOf },
  );

test("roles have the models that the settings give them at the run's server, or those that are chosen for the run", () => {
  expect(assign({})).toMatchObject({
    ok: true,
    value: {
      options: { roleModels: { explorer: "small" } },
      rolePrices: { small: prices["small"] },
      budget: { costMicros: settings.run.budget.costMicros },
    },
  });
  const without = assign({ roleModels: {} });
  expect(without.ok && ["roleModels" in without.value.options, without.value.rolePrices]).toEqual([false, {}]);
});

test("what an order leaves out of policy and network is as the settings say; one agent alone is held to no policy", () => {
  const usual = { ...settings, policy: "rules:default", sandbox: { network: "on" } } as const;
  const optionsOf = (more: Partial<StartRun>) => {
    const order = { type: "startRun", folder: "/repo", task: "Look.", model: "main", baseUrl, ...more } as const;
    const assigned = assignmentOf(order, { env: {}, settings: usual, priceOf });
    return assigned.ok ? [assigned.value.options.policy, assigned.value.options.network] : assigned.error.code;
  };
  const [llm, rules] = [{ kind: "llm" }, { kind: "rules", preset: "default" }];
  expect([
    optionsOf({}),
    optionsOf({ policy: { kind: "llm" }, network: "off" }),
    optionsOf({ workflow: "off" }),
    optionsOf({ delegation: "off" }),
  ]).toEqual([
    [rules, "on"],
    [llm, "off"],
    [llm, "on"],
    [llm, "on"],
  ]);
});

test("money is limited only where every model's price is known", () => {
  const roleModels = { reviewer: "odd" };
  expect(assign({ roleModels })).toMatchObject({ ok: true, value: { budget: { costMicros: null } } });
  expect(assign({ roleModels, budget: { costMicros: 1 } })).toMatchObject({
    ok: false,
    error: { code: "NO_PRICE", message: expect.stringContaining("odd") as string },
  });
});

test("a lead that edits, and one that works alone, are asked for over the wire and are the run's options", () => {
  const whole = { type: "startRun", folder: "/repo", task: "Look.", model: "main", baseUrl } as const;
  for (const team of [{ leadEdits: true }, { workflow: "off" }, {}] as const) {
    const { command } = bodySchemas["command/execute"].parse({
      commandId: "command-1",
      command: { ...whole, ...team },
    });
    const assigned = assign(command as StartRun);
    const { leadEdits, workflow } = assigned.ok ? assigned.value.options : {};
    expect({ leadEdits, workflow }).toEqual(team);
  }
});

test("what an order names of its bounds is known by name, and set-up and leaving the repository's commands out go along", () => {
  expect(assign({ setup: ["npm ci"], repositoryCommands: "skip" })).toMatchObject({
    ok: true,
    value: { options: { setup: ["npm ci"] }, repositoryCommands: "skip", named: [] },
  });
  const named = { limits: { maxSteps: 9 }, budget: { steps: 5 }, wallMs: null };
  expect(assign(named)).toMatchObject({
    ok: true,
    value: { named: ["maxSteps", "leadSteps", "steps", "wallMs"] },
  });
});
