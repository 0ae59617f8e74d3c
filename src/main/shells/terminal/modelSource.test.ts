import { expect, test } from "vitest";

import type { KeyPlace } from "../../../shared/contract/settings.ts";
import { defaultSettings } from "../../settings/defaultSettings.ts";
import { readModelSource } from "./modelSource.ts";

const provider = (id: string, key: KeyPlace) => ({
  id,
  name: id,
  baseUrl: `https://${id}.example/v1`,
  key,
  models: [],
});
const settings = {
  ...defaultSettings,
  providers: [
    provider("lab", { from: "environment", name: "LAB_KEY" }),
    provider("open", { from: "none" }),
    provider("team", { from: "keychain" }),
    { ...provider("here", { from: "none" }), baseUrl: "http://127.0.0.1:2/v1" },
  ],
};
const env = { OPENAI_API_KEY: "of-the-environment", LAB_KEY: "of-the-lab" };
const at = (baseUrl: string, more: object = {}, variables: NodeJS.ProcessEnv = env) =>
  readModelSource({}, { model: "m", baseUrl, ...more }, settings, {
    env: variables,
    folder: "/",
    isAttended: false,
  });
const refusal = (act: () => unknown): string => {
  try {
    act();
    return "it was taken";
  } catch (error) {
    return String(error);
  }
};

test("a server is asked with the key that was given for it, and with that of the environment only where the settings know none of it", () => {
  expect([
    at("https://lab.example/v1/").apiKey,
    at("https://elsewhere.example/v1").apiKey,
    at("http://127.0.0.1:2/v1").apiKey,
    at("https://open.example/v1", {}, { ...env, OPENAI_BASE_URL: "https://open.example/v1/" }).apiKey,
  ]).toEqual(["of-the-lab", "of-the-environment", null, "of-the-environment"]);
  expect([
    refusal(() => at("https://open.example/v1")),
    refusal(() => at("https://team.example/v1")),
    refusal(() => at("https://lab.example/v1", {}, {})),
    refusal(() => at("https://elsewhere.example/v1", {}, {})),
  ]).toEqual([
    expect.stringMatching(/https:\/\/open\.example\/v1 needs a key: .*it has none; .*--api-key-file/),
    expect.stringMatching(/https:\/\/team\.example\/v1 needs a key: .*keychain.*--api-key-file/),
    expect.stringContaining("https://lab.example/v1 needs a key: set LAB_KEY"),
    expect.stringContaining("https://elsewhere.example/v1 needs a key: set OPENAI_API_KEY"),
  ]);
});

test("models of roles at other servers get the key of their own server alone; what is played needs none", () => {
  const beside = {
    roleModels: { reviewer: "large", planner: "wide" },
    modelServers: { large: "https://lab.example/v1", wide: "http://127.0.0.1:2/v1" },
  };
  expect(at("https://elsewhere.example/v1", beside).others.map(({ model, apiKey }) => [model, apiKey])).toEqual([
    ["large", "of-the-lab"],
    ["wide", null],
  ]);
  const unknown = { ...beside, modelServers: { large: "https://unknown.example/v1" } };
  expect(refusal(() => at("https://elsewhere.example/v1", unknown))).toContain(
    "reviewer: the model large at https://unknown.example/v1 needs a key: no server of the settings",
  );
  const played = readModelSource(
    { cassette: "c.jsonl" },
    { model: "m", baseUrl: "https://x.example/v1", ...unknown },
    settings,
    {
      env: {},
      folder: "/",
      isAttended: false,
    },
  );
  expect(played).toMatchObject({ cassette: "/c.jsonl", others: [] });
});
