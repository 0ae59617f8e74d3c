// Where Coppice keeps its journal when nobody says otherwise.

import { homedir } from "node:os";
import { join } from "node:path";

/** `COPPICE_HOME`, or the platform's place for an application's data. */
export function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env["COPPICE_HOME"]) return env["COPPICE_HOME"];
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "Coppice");
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "Coppice");
  return join(env["XDG_DATA_HOME"] ?? join(homedir(), ".local", "share"), "coppice");
}
