import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openCommands, openWindow } from "./openWindow.ts";

const page = "file:///tmp/coppice-window-1/open.html";
const profile = "/tmp/coppice-window-1/profile";

describe("opening a window", () => {
  it("passes by what may not be run, and leaves nothing where nothing could be started", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-open-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [programs, temporary] = [join(folder, "bin"), join(folder, "tmp")];
    for (const each of [programs, temporary]) mkdirSync(each);
    writeFileSync(join(programs, "chromium"), "", { mode: 0o600 });
    vi.stubEnv("PATH", programs);
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect([await openWindow("http://127.0.0.1:1/"), readdirSync(temporary)]).toEqual([undefined, []]);
  });

  it("tries an app window with a profile of its own before the person's browser", () => {
    const commands = openCommands("linux", page, profile);
    expect(commands[0]).toEqual([
      "chromium",
      `--app=${page}`,
      `--user-data-dir=${profile}`,
      "--no-first-run",
      "--no-default-browser-check",
    ]);
    expect(commands.at(-1)).toEqual(["xdg-open", page]);
  });

  it.each([
    ["darwin", "open"],
    ["win32", "explorer.exe"],
  ] as const)("falls back to what %s has for it", (platform, program) => {
    expect(openCommands(platform, page, profile).at(-1)).toEqual([program, page]);
  });
});
