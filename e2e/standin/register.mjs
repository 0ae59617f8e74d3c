// Runs the built bundle where Electron's binary is not: `node --import ./e2e/standin/register.mjs out/main/index.js`, from a
// process that drives it (drive.ts). The module name `electron` leads to the stand-in, and nothing else is touched.

import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const standin = new URL("electron.ts", import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === "electron" ? { url: standin, format: "module-typescript", shortCircuit: true } : next(name, context),
});

// Threads of the application inherit this file; only the main one is Electron's.
if (isMainThread) {
  const { becomeReady } = await import("./electron.ts");
  // As in Electron, nothing is ready before the entry is: one that waits for it at its top level never starts.
  await import(pathToFileURL(resolve(process.argv[1] ?? "")).href);
  becomeReady();
}
