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

const usage = `npm start                    the workbench in a window, or in your browser where no window can open
npm start -- --serve         the same in your browser: [--port N] [--host H] [--open]
npm start -- --demo          a recorded run on a sample repository: no key, no network, no question

Each installs and builds what is missing first. Once that is done, the command line is: npm run -s coppice -- --help`;

if (args.includes("--help")) {
  console.log(usage);
  process.exit();
}
setUp({ browser: false });
buildWhenStale();
if (args.includes("--demo")) hand(bundledNode, [join(root, "out/main/cli.js"), "demo", ...rest]);
else if (args.includes("--serve")) serve();
else openWindow();

function openWindow() {
  const obstacle = findObstacle();
  const electron = obstacle ? undefined : requireElectron();
  const instead = (/** @type {string} */ reason) => {
    say(`${reason}: opening browser mode instead`);
    // Without a display there is none for the page either, and Chromium does not run as root any more than Electron does.
    serve(obstacle || rest.includes("--open") ? [] : ["--open"]);
  };
  if (!electron) return instead(obstacle ?? "Electron is not here and cannot be fetched");
  // A system that forbids its sandbox ends Electron before it has opened anything.
  return hand(electron, [root, ...rest], (how) => instead(`Electron ended at once (${how})`));
}

/** @param {string[]} [more] */
function serve(more = []) {
  hand(bundledNode, [join(root, "out/main/serve.js"), ...rest, ...more]);
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

/** So soon after its start a program that is killed by a signal of its own has not been used yet, ms. */
const startMs = 5_000;

/**
 * Lets `program` have our terminal, and ends as it ends. `onCrash`: goes on instead where it crashed as it started.
 * @param {string} program @param {string[]} programArgs @param {(how: string) => void} [onCrash]
 */
function hand(program, programArgs, onCrash) {
  const from = Date.now();
  const child = spawn(program, programArgs, { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well, and it is the child that decides when to stop.
  const ignore = () => {};
  const pass = () => child.kill("SIGTERM");
  process.on("SIGINT", ignore);
  process.on("SIGTERM", pass);
  child.on("error", (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    const isCrash = signal === "SIGTRAP" || signal === "SIGABRT" || signal === "SIGSEGV";
    if (!onCrash || !isCrash || Date.now() - from > startMs) process.exit(code ?? (signal === "SIGINT" ? 130 : 143));
    process.off("SIGINT", ignore);
    process.off("SIGTERM", pass);
    onCrash(signal);
  });
}
