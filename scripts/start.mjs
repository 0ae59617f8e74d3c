// `npm start`: sets up, builds when the sources are newer, and opens the workbench: Electron where it can, else the
// browser. `--serve` forces the browser, `--demo` runs the bundled sample headless. Runs on Node 20 with nothing installed.

import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { findObstacle, requireElectron } from "./electron.mjs";
import { bundledNode, root, run, say, setUp } from "./setup.mjs";

const built = [
  "out/main/cli.js",
  "out/main/serve.js",
  "out/main/index.js",
  "out/preload/index.cjs",
  "out/renderer/index.html",
];
const sources = ["src", "electron.vite.config.ts", "package-lock.json"];

const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== "--demo" && arg !== "--serve");

setUp({ browser: false });
buildWhenStale();
if (args.includes("--demo")) hand(bundledNode, [join(root, "out/main/cli.js"), "demo", ...rest]);
else if (args.includes("--serve")) serve();
else openWindow();

function openWindow() {
  const obstacle = findObstacle();
  const electron = obstacle ? undefined : requireElectron();
  if (electron) return hand(electron, [root, ...rest]);
  say(`${obstacle ?? "Electron is not here and cannot be fetched"}: opening browser mode instead`);
  return serve();
}

function serve() {
  hand(bundledNode, [join(root, "out/main/serve.js"), ...rest]);
}

function buildWhenStale() {
  const oldest = Math.min(...built.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0));
  if (sources.every((source) => newestIn(join(root, source)) <= oldest)) return;
  say("building");
  if (run(bundledNode, ["node_modules/electron-vite/bin/electron-vite.js", "build", "--logLevel", "warn"])) return;
  say("the build failed");
  process.exit(1);
}

/** When anything in `path` changed last; a folder's own time tells of removed files. @param {string} path @returns {number} */
function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** Lets `program` have our terminal, and ends as it ends. @param {string} program @param {string[]} programArgs */
function hand(program, programArgs) {
  const child = spawn(program, programArgs, { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well, and it is the child that decides when to stop.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}
