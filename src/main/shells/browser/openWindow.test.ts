import { describe, expect, it } from "vitest";
import { openCommands } from "./openWindow.ts";

const page = "file:///tmp/coppice-window-1/open.html";
const profile = "/tmp/coppice-window-1/profile";

describe("opening a window", () => {
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
