// The desktop's answers on real folders; the desktop itself is written down.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { HostCall } from "../../../shared/contract/host.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { fail, succeed } from "../../../shared/lib/result.ts";
import { noLog } from "../../logging/log.ts";
import { createDesktopCalls, type DesktopParts } from "./host.ts";

const run = "aaaa" as RunId;

describe("the desktop", () => {
  let folder: string;
  let done: unknown[][];
  let answer: { readonly response: number; readonly checkboxChecked: boolean };
  let call: (call: HostCall) => Promise<unknown>;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "coppice-place-")));
    mkdirSync(join(folder, "work", "src"), { recursive: true });
    writeFileSync(join(folder, "work", "src", "a.ts"), "");
    writeFileSync(join(folder, "secret"), "");
    symlinkSync(join(folder, "secret"), join(folder, "work", "out"));
    done = [];
    answer = { response: 0, checkboxChecked: false };
    const parts: DesktopParts = {
      version: "1.2.3",
      editor: { name: "Ed", open: (...args) => Promise.resolve(void done.push(["edit", ...args])) },
      shell: {
        openExternal: (url) => Promise.resolve(void done.push(["external", url])),
        openPath: (path) => {
          done.push(["open", path]);
          return Promise.resolve("");
        },
        showItemInFolder: (path) => void done.push(["show", path]),
      },
      log: noLog,
      chooseFolder: () => Promise.resolve({ canceled: false, filePaths: ["/chosen"] }),
      ask: ({ message }) => {
        done.push(["ask", message]);
        return Promise.resolve(answer);
      },
      openWindow: () => void done.push(["window"]),
      placeOf: (_run, agent) =>
        Promise.resolve(
          agent === "subagent-9"
            ? fail({ code: "UNKNOWN_SUBAGENT", message: "There is no subagent-9." })
            : succeed(join(folder, agent === "subagent-2" ? "gone" : "work")),
        ),
    };
    call = createDesktopCalls(parts);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("says what it can do, and lets a folder be chosen", async () => {
    expect(await call({ kind: "describe" })).toMatchObject({
      value: { shell: "desktop", editor: "Ed", can: expect.arrayContaining(["reveal", "openInEditor"]) as unknown },
    });
    expect(await call({ kind: "chooseFolder" })).toEqual(succeed({ folder: "/chosen" }));
  });

  it("opens the place of an agent, and a file in it at its line", async () => {
    await call({ kind: "reveal", run, agent: "subagent-1" });
    await call({ kind: "reveal", run, agent: null, path: "src/a.ts" });
    await call({ kind: "openInEditor", run, agent: "subagent-1", path: "src/a.ts", line: 3 });
    expect(done).toEqual([
      ["open", join(folder, "work")],
      ["show", join(folder, "work", "src", "a.ts")],
      ["edit", join(folder, "work", "src", "a.ts"), 3],
    ]);
  });

  it("opens nothing outside of the place, nothing that is gone, and nothing of nobody", async () => {
    const answers = [
      await call({ kind: "openInEditor", run, agent: "subagent-1", path: "out" }),
      await call({ kind: "reveal", run, agent: "subagent-2" }),
      await call({ kind: "reveal", run, agent: "subagent-1", path: "nowhere.ts" }),
      await call({ kind: "reveal", run, agent: "subagent-9" }),
    ];
    expect(answers.map((one) => (one as { error?: { code: string } }).error?.code)).toEqual([
      "BAD_USAGE",
      "PLACE_NOT_FOUND",
      "PLACE_NOT_FOUND",
      "UNKNOWN_SUBAGENT",
    ]);
    expect(done).toEqual([]);
  });

  it("[G11] opens a link only after the person has seen where it leads", async () => {
    await call({ kind: "openExternal", url: "https://one.example/a" });
    expect(done.splice(0)).toEqual([["ask", "Open one.example in your browser?"]]);
    answer = { response: 1, checkboxChecked: true };
    await call({ kind: "openExternal", url: "https://one.example/a" });
    await call({ kind: "openExternal", url: "https://one.example/b" });
    expect(done.splice(0).slice(1)).toEqual([
      ["external", "https://one.example/a"],
      ["external", "https://one.example/b"],
    ]);
    expect(await call({ kind: "openExternal", url: "file:///etc/passwd" })).toMatchObject({ ok: false });
    expect(done).toEqual([]);
  });
});
