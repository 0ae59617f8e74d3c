// Which key each server of a run is asked with, and that a recording needs none of them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { KeyPlace } from "../../shared/contract/settings.ts";
import { succeed } from "../../shared/lib/result.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { ModelRequest } from "../engine/ports/model.ts";
import { defaultSettings } from "../settings/defaultSettings.ts";
import { connectRun } from "./connectRun.ts";

const own = "https://own.example/v1";
const lab = "https://lab.example/v1";
const team = "https://team.example/v1";
const provider = (id: string, baseUrl: string, key: KeyPlace) => ({ id, name: id, baseUrl, key, models: [] });
const settings = {
  ...defaultSettings,
  providers: [
    provider("lab", lab, { from: "environment", name: "LAB_KEY" }),
    provider("team", team, { from: "keychain" }),
    provider("here", "http://127.0.0.1:2/v1", { from: "none" }),
  ],
};
const keys = (kept: Readonly<Record<string, string>>): KeyStore => ({
  place: "a test's",
  find: (name) => Promise.resolve(kept[name] ?? null),
  keep: () => Promise.resolve(succeed(null)),
  forget: () => Promise.resolve(succeed(null)),
});
const source = {
  model: "main",
  baseUrl: own,
  roleModels: { reviewer: "large", planner: "wide", explorer: "small" },
  modelServers: { large: lab, wide: team, small: "http://127.0.0.1:2/v1" },
};
const env = { OPENAI_API_KEY: "of-the-run", LAB_KEY: "of-the-lab" };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-servers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Connects, and notes who is asked for which model with which key. */
function desk(asked: string[], given: Partial<Parameters<typeof connectRun>[0]> = {}) {
  return {
    settings,
    env,
    keys: keys({ team: "of-the-team" }),
    connect: ({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | null }) => ({
      complete: ({ model }: ModelRequest) => {
        asked.push(`${model} at ${baseUrl} with ${apiKey}`);
        const text = `${model} answers`;
        return Promise.resolve({
          kind: "completed" as const,
          text,
          reasoning: "",
          toolCalls: [],
          finish: "stop",
          usage: null,
        });
      },
    }),
    ...given,
  };
}

const watch = { signal: new AbortController().signal, onText: () => undefined, onData: () => undefined };
const request = (model: string): ModelRequest => ({
  model,
  messages: [{ role: "user", content: "Hello." }],
  tools: [],
  firstEventMs: 1_000,
  idleMs: 1_000,
});
const models = ["main", "large", "wide", "small"];

test("each server is asked for its own models with the key that was given for it, and for no other", async () => {
  const asked: string[] = [];
  const connected = await connectRun(desk(asked), source);
  if (!connected.ok) throw new Error(connected.error.message);
  for (const model of models) await connected.value.complete(request(model), watch);
  expect(asked).toEqual([
    `main at ${own} with of-the-run`,
    `large at ${lab} with of-the-lab`,
    `wide at ${team} with of-the-team`,
    "small at http://127.0.0.1:2/v1 with null",
  ]);
});

test.each([
  [
    "a variable that is not set",
    { env: { OPENAI_API_KEY: "of-the-run" } },
    `reviewer: the model large at ${lab}`,
    "LAB_KEY",
  ],
  ["a keychain without it", { keys: keys({}) }, `planner: the model wide at ${team}`, "keychain"],
  [
    "a server that the settings have no more",
    { settings: { ...settings, providers: settings.providers.slice(1) } },
    `reviewer: the model large at ${lab}`,
    "no server of the settings",
  ],
])(
  "a role's server whose key is in %s is refused before anything is asked, by role, model and server",
  async (_title, given, named, remedy) => {
    const asked: string[] = [];
    const refused = await connectRun(desk(asked, given), source);
    expect([refused, asked]).toMatchObject([{ ok: false, error: { code: "NO_MODEL" } }, []]);
    expect(refused.ok ? "" : refused.error.message).toContain(`${named} needs a key: `);
    expect(refused.ok ? "" : refused.error.message).toContain(remedy);
  },
);

test("what all servers answered is recorded in one file, and played from it without any of them or a key", async () => {
  const record = join(folder, "answers.jsonl");
  const recorded = await connectRun(desk([]), { ...source, record });
  if (!recorded.ok) throw new Error(recorded.error.message);
  for (const model of models) await recorded.value.complete(request(model), watch);

  const asked: string[] = [];
  const played = await connectRun(desk(asked, { env: {}, keys: keys({}), settings: defaultSettings }), {
    ...source,
    cassette: record,
  });
  if (!played.ok) throw new Error(played.error.message);
  const answers = [];
  for (const model of models) answers.push(await played.value.complete(request(model), watch));
  expect(answers).toMatchObject(models.map((model) => ({ kind: "completed", text: `${model} answers` })));
  expect(asked).toEqual([]);
});
