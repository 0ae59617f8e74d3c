import { expect, test } from "vitest";

import { defaultSettings } from "../settings/defaultSettings.ts";
import { roleTermsOf } from "./roleFiles.ts";
import { chosenRoleModels, usualRoleModels } from "./roleModels.ts";

const here = "http://127.0.0.1:1/v1";
const lab = "https://lab.example/v1";
const model = (name: string) => ({ name, price: null, contextTokens: null });
const provider = (id: string, baseUrl: string, ...names: readonly string[]) => ({
  id,
  name: id,
  baseUrl,
  key: { from: "none" as const },
  models: names.map(model),
});
const settings = {
  ...defaultSettings,
  providers: [
    provider("here", `${here}/`, "main", "small", "large"),
    provider("lab", lab, "large", "main"),
    provider("other", "http://127.0.0.1:2/v1", "large"),
    provider("leaky", "https://user:hunter2@leaky.example/v1", "odd"),
  ],
};
const own = { model: "main", baseUrl: here };
const usual = (roleModels: Readonly<Record<string, readonly [provider: string, name: string]>>, at = own) =>
  usualRoleModels(
    {
      ...settings,
      roleModels: Object.fromEntries(
        Object.entries(roleModels).map(([role, [id, name]]) => [role, { provider: id, name }]),
      ),
    },
    at,
  );

test("the settings say which model a role has and at which server; the run's own address is named nowhere", () => {
  expect(
    usual({ explorer: ["here", "small"], reviewer: ["lab", "large"], planner: ["lab", "large"], none: ["gone", "x"] }),
  ).toEqual({
    ok: true,
    value: {
      roleModels: { explorer: "small", reviewer: "large", planner: "large" },
      modelServers: { large: lab },
    },
  });
  expect(usual({ reviewer: ["lab", "large"] }, { model: "main", baseUrl: `${lab}/` })).toEqual({
    ok: true,
    value: { roleModels: { reviewer: "large" } },
  });
  expect(usual({})).toEqual({ ok: true, value: {} });
});

test("a role's model of the run's own name is the run's own", () => {
  expect(usual({ reviewer: ["lab", "main"] })).toEqual({ ok: true, value: { roleModels: { reviewer: "main" } } });
});

test("models of one name at two servers are refused with both roles and both servers", () => {
  const refused = usual({ explorer: ["here", "large"], reviewer: ["lab", "large"] });
  expect(refused).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
  for (const word of ["explorer", "reviewer", "large", here, lab])
    expect(refused.ok ? "" : refused.error.message).toContain(word);
  expect(usual({ planner: ["other", "large"], reviewer: ["lab", "large"] })).toMatchObject({
    ok: false,
    error: { code: "BAD_USAGE" },
  });
});

test("a person's choice holds as it was made, at servers of the settings alone", () => {
  const roleModels = { reviewer: "large", explorer: "small" };
  expect(chosenRoleModels(settings, own, { roleModels, modelServers: { large: `${lab}/`, unused: lab } })).toEqual({
    ok: true,
    value: { roleModels, modelServers: { large: `${lab}/` } },
  });
  expect(chosenRoleModels(settings, own, { roleModels })).toEqual({ ok: true, value: { roleModels } });
  const unknown = chosenRoleModels(settings, own, { roleModels, modelServers: { large: "https://evil.example/v1" } });
  expect(unknown).toEqual({
    ok: false,
    error: {
      code: "NO_MODEL",
      message:
        "reviewer: the model large at https://evil.example/v1 cannot be asked: no server of the settings has this address. Add it under Settings, Models, or choose another model for reviewer.",
    },
  });
});

test("an address that holds a secret is refused and not repeated", () => {
  const refused = usual({ reviewer: ["leaky", "odd"] });
  expect(refused).toMatchObject({ ok: false, error: { code: "ENDPOINT_INVALID" } });
  expect(JSON.stringify(refused)).toMatch(/reviewer.*odd.*leaky/);
  expect(JSON.stringify(refused)).not.toContain("hunter2");
});

test("a file of the repository may name no model that is asked at another server than the run's", () => {
  expect(roleTermsOf(settings, own).models).toEqual(["main", "small", "large"]);
  expect(roleTermsOf(settings, { ...own, modelServers: { large: lab } }).models).toEqual(["main", "small"]);
});
