import { expect, test } from "vitest";

import type { ModelOutcome, ModelPort } from "../engine/ports/model.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import { defaultSettings } from "../settings/defaultSettings.ts";
import { testModel } from "./modelPages.ts";

test("a model that is tested and never comes to an end is left", async () => {
  const model: ModelPort = {
    complete: (_request, { signal }) =>
      new Promise<ModelOutcome>((resolve) => {
        signal.addEventListener("abort", () => resolve({ kind: "aborted", text: "and on, " }), { once: true });
      }),
  };
  const parts = { settings: () => defaultSettings, env: {}, keys: {} as KeyStore, connect: () => model, testMs: 5 };
  expect(await testModel(parts, { baseUrl: "http://127.0.0.1:1/v1", key: "k", model: "endless" })).toMatchObject({
    answered: false,
    problem: { code: "CANCELLED" },
  });
});
