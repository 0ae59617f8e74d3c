import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { serveUntilSignal } from "./serve.ts";
import type { Workbench } from "./workbench.ts";

test("a server that cannot go on with what dead processes have left serves nobody, so that its process can end", async () => {
  const home = mkdtempSync(join(tmpdir(), "coppice-serve-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "index.html"), "<!doctype html>");
  const workbench = {
    source: {},
    keepUp: () => undefined,
    runs: { resumeAbandoned: () => Promise.reject(new Error("The disk does not answer.")) },
  } as unknown as Workbench;
  const urls: string[] = [];
  const onServing = (url: string) => void urls.push(url);
  const served = serveUntilSignal(workbench, { home, rendererFolder: home, print: () => undefined, onServing });
  await expect(served).rejects.toThrow("The disk does not answer.");
  await expect(fetch(urls[0] ?? "")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
});
