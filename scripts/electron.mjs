// Finds Electron's binary, fetching it where that is possible, or says why the desktop window must do without.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { bundledNode, root, say } from "./setup.mjs";

const folder = join(root, "node_modules/electron");
const fetchTimeoutMs = 300_000;

/** The binary when it is here already; nothing is fetched. @returns {string | undefined} */
export function findElectron() {
  const note = join(folder, "path.txt");
  if (!existsSync(note)) return undefined;
  const binary = join(process.env["ELECTRON_OVERRIDE_DIST_PATH"] ?? join(folder, "dist"), readFileSync(note, "utf8"));
  return existsSync(binary) ? binary : undefined;
}

/** Why no window can open here, whatever is installed. @returns {string | undefined} */
export function findObstacle() {
  if (process.platform !== "linux") return undefined;
  if (!process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"]) return "there is no display";
  return process.getuid?.() === 0 ? "Electron does not run as root" : undefined;
}

/** The binary, fetched on first use. @returns {string | undefined} */
export function requireElectron() {
  const present = findElectron();
  if (present) return present;
  say("fetching Electron (once)");
  const { stderr } = spawnSync(bundledNode, [join(folder, "install.js")], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: fetchTimeoutMs,
  });
  const binary = findElectron();
  if (!binary && stderr.trim() !== "") say(stderr.trim().split("\n").at(-1) ?? "");
  return binary;
}
