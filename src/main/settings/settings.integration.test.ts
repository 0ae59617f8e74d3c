import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultSettings } from "./defaultSettings.ts";
import { openSettings, type SettingsStore } from "./settings.ts";

const appearance = { theme: "dark", motion: "reduced" } as const;

describe("the settings", () => {
  let home: string;
  let file: string;
  const opened: SettingsStore[] = [];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "coppice-settings-"));
    file = join(home, "settings", "settings.json");
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
    rmSync(home, { recursive: true, force: true });
  });
  const open = (): SettingsStore => {
    const store = openSettings(home);
    opened.push(store);
    return store;
  };
  const plant = (text: string): void => {
    mkdirSync(join(home, "settings"), { recursive: true });
    writeFileSync(file, text);
  };

  it("are the defaults where nothing is set, and leave no file", () => {
    const store = open();
    expect([store.current(), store.problem(), readdirSync(join(home, "settings"))]).toEqual([
      defaultSettings,
      null,
      [],
    ]);
  });

  it("change part by part, on disk at once, for this process and the next", async () => {
    const store = open();
    await store.change({ appearance });
    await store.change({ keys: { "app.palette": "Mod+P" } });
    const wanted = { ...defaultSettings, appearance, keys: { "app.palette": "Mod+P" } };
    expect([store.current(), open().current(), JSON.parse(readFileSync(file, "utf8"))]).toEqual([
      wanted,
      wanted,
      wanted,
    ]);
    expect(readdirSync(join(home, "settings"))).toEqual(["settings.json"]);
  });

  it("keep what another process has set meanwhile", async () => {
    const [here, there] = [open(), open()];
    await there.change({ appearance });
    await here.change({ data: { keepDays: 30 } });
    expect(open().current()).toEqual({ ...defaultSettings, appearance, data: { keepDays: 30 } });
  });

  it("of a small file are completed by the defaults", () => {
    const roleModels = { explorer: { provider: "here", name: "small" } };
    plant(JSON.stringify({ version: 1, appearance, roleModels }));
    expect(open().current()).toEqual({ ...defaultSettings, appearance, roleModels });
  });

  it.each([
    ["{", "is not JSON"],
    [
      `{\n  "version": 1,\n  "appearance": {\n    "theme": "pink",\n    "motion": "system"\n  }\n}`,
      "line 4: `appearance.theme`",
    ],
    [`{\n  "version": 1,\n  "colour": 3\n}`, "unrecognized key"],
    [`{"version": 2}`, "newer Coppice"],
  ])(
    "of a file that cannot be used are the defaults, say where, and are never written over: %s",
    async (text, where) => {
      plant(text);
      const store = open();
      expect(store.current()).toEqual(defaultSettings);
      expect(store.problem()).toContain(where);
      expect(store.problem()).toContain(file);
      await expect(store.change({ appearance })).rejects.toMatchObject({ code: "BAD_CONFIGURATION" });
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("are taken up again once the file is mended", async () => {
    plant("{");
    const store = open();
    plant(JSON.stringify({ version: 1, appearance }));
    await store.change({ data: { keepDays: 7 } });
    expect([store.problem(), store.current()]).toEqual([
      null,
      { ...defaultSettings, appearance, data: { keepDays: 7 } },
    ]);
  });

  it("tell whoever follows of a change by another hand", async () => {
    const store = open();
    const changed = new Promise<void>((resolve) => void store.onChange(resolve));
    plant(JSON.stringify({ version: 1, appearance }));
    await changed;
    // The watch may have seen the file before it was whole; the next look is the last.
    if (store.problem() !== null) await new Promise<void>((resolve) => void store.onChange(resolve));
    expect(store.current().appearance).toEqual(appearance);
  });
});
