// Makes a fresh clone runnable: the dependencies, and on Linux the system packages. Imports nothing but Node and runs on
// Node 20, because it runs before anything is installed. Says what it does on stderr; does nothing when nothing is missing.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { findChromium } from "./chromium.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node that everything but the set-up runs on. It comes with `npm ci`. */
export const bundledNode = join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");

/** @param {string} line */
export const say = (line) => console.error(`coppice: ${line}`);

/**
 * Installs what is missing. A system package that cannot be installed from here is named in one line and left out.
 * @param {{ browser: boolean }} needs `browser`: the end-to-end tests need a Chromium.
 */
export function setUp(needs) {
  if (!isInstalled()) installDependencies();
  if (process.platform !== "linux") return;
  const missing = [];
  if (!isOnPath("bwrap")) missing.push("bubblewrap");
  if (needs.browser && !findChromium()) missing.push("chromium");
  if (missing.length > 0) installPackages(missing);
}

/** Runs a program to its end with our own standard streams; true when it exited 0. @param {string} program @param {string[]} args */
export function run(program, args, env = process.env) {
  return spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}

function installDependencies() {
  say("installing the dependencies (npm ci)");
  // Without install scripts, since npm 10 would compile better-sqlite3, whose binary is in the package already. Only
  // `node` needs its own: it fetches the Node for this platform.
  if (!runNpm("ci", "--ignore-scripts") || !runNpm("rebuild", "node") || !existsSync(bundledNode)) {
    say("npm ci failed; its output above says why");
    process.exit(1);
  }
}

/** Whether node_modules holds exactly what package-lock.json asks for; npm writes down what it installed. */
function isInstalled() {
  const [wanted, present] = ["package-lock.json", "node_modules/.package-lock.json"].map(readPackages);
  if (!wanted || !present || !existsSync(bundledNode)) return false;
  const isSame = (/** @type {string} */ name) => wanted[name]?.integrity === present[name]?.integrity;
  return (
    Object.keys(present).every((name) => name in wanted) &&
    Object.keys(wanted).every(
      (name) => name === "" || (name in present ? isSame(name) : wanted[name]?.optional === true),
    )
  );
}

/** @typedef {Record<string, { integrity?: string, optional?: boolean }>} Packages */

/** @param {string} file @returns {Packages | undefined} */
function readPackages(file) {
  if (!existsSync(join(root, file))) return undefined;
  const lock = /** @type {{ packages: Packages }} */ (JSON.parse(readFileSync(join(root, file), "utf8")));
  return lock.packages;
}

/** @param {string[]} args */
function runNpm(...args) {
  // Not by the bundled Node, which `npm ci` is about to replace: npm runs on the machine's own.
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const env = { ...process.env, PATH: path.join(delimiter), NODE_ENV: "development" };
  const options = { cwd: root, env, shell: process.platform === "win32" };
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return spawnSync("npm", [...args, ...quiet], { ...options, stdio: ["ignore", 2, 2] }).status === 0;
}

/** @param {string[]} packages */
function installPackages(packages) {
  const names = packages.join(" and ");
  if (process.getuid?.() !== 0 || !isOnPath("apt-get")) {
    say(
      `${names} missing; install with: sudo apt-get install ${packages.join(" ")} (or what your distribution calls it)`,
    );
    return;
  }
  say(`installing ${names} (apt-get)`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", 2] }).status === 0;
  if (!apt("update") || !apt("install", "-y", ...packages)) say(`apt-get could not install ${names}`);
}

/** @param {string} program */
function isOnPath(program) {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
      return false;
    }
  });
}
