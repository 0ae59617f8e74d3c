// A run over two model servers as the command line has it: from the settings, through a kill, to its end.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, test } from "vitest";

import { defaultSettings } from "../../src/main/settings/defaultSettings.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import { oneChange } from "../support/commandStories.ts";
import { startScriptedModel } from "../support/scriptedModel.ts";

beforeAll(buildCommandLine, buildLimitMs);

test.concurrent(
  "[F11] a run that is killed while a role's own server is asked goes on there, with that server's key",
  { timeout: 90_000 },
  async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    await using lab = await startScriptedModel(oneChange);
    mkdirSync(join(desk.home, "settings"), { recursive: true, mode: 0o700 });
    const key = { from: "environment" as const, name: "LAB_KEY" };
    const provider = { id: "lab", name: "Lab", baseUrl: lab.baseUrl, key, models: [] };
    const roleModels = { executor: { provider: "lab", name: "large" } };
    writeFileSync(
      join(desk.home, "settings", "settings.json"),
      JSON.stringify({ ...defaultSettings, providers: [provider], roleModels }),
    );
    const env = { LAB_KEY: "of-the-lab" };
    const killed = await desk.start(desk.runArgs("Change it."), {
      env,
      onEvent: ({ type, agent }, child) =>
        void (type === "model.requested" && agent === "subagent-1" && child.kill("SIGKILL")),
    }).ended;
    const run = /"root":"([^"]+)"/.exec(killed.stdout)?.[1] ?? "";
    expect(killed.signal).toBe("SIGKILL");

    const resumed = await desk.coppice(["resume", run, "--json"], { env });
    expect({ code: resumed.code, stderr: resumed.stderr, landed: resumed.summary().landed.length }).toEqual({
      code: 0,
      stderr: "",
      landed: 1,
    });
    const asked = [desk.server, lab].map(({ requests }) => [
      ...new Set(requests.map(({ body, headers }) => `${String(body["model"])} ${headers.authorization}`)),
    ]);
    expect(asked).toEqual([["scripted Bearer test-key"], ["large Bearer of-the-lab"]]);
    expect(await desk.faults()).toEqual([]);
  },
);
