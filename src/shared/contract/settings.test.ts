import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { settingsChangesSchema, settingsSchema } from "./settings.ts";

describe("the shape of the settings", () => {
  it("is published as a JSON Schema; `npx vitest run FILE -u` writes it anew", async () => {
    const schema = { title: "Coppice: settings/settings.json", ...z.toJSONSchema(settingsSchema) };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      "../../../resources/schemas/settings.schema.json",
    );
  });

  it("has no place for a key, neither in the file nor in a change", () => {
    const published = readFileSync(new URL("../../../resources/schemas/settings.schema.json", import.meta.url), "utf8");
    expect(published).not.toMatch(/apiKey|secret|password/i);
    const provider = { id: "a", name: "A", baseUrl: "http://127.0.0.1:1/v1", models: [] };
    const withKey = { providers: [{ ...provider, key: { from: "keychain", key: "sk-secret" } }] };
    expect(settingsChangesSchema.safeParse(withKey).success).toBe(false);
  });

  it("takes no two providers under one id", () => {
    const provider = { id: "a", name: "A", baseUrl: "http://127.0.0.1:1/v1", key: { from: "none" }, models: [] };
    expect(settingsChangesSchema.safeParse({ providers: [provider, provider] }).success).toBe(false);
  });
});
