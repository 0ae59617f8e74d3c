// Owns which folders of PATH stay usable although they lie below a hidden folder such as HOME.
// It must never reveal more than an installation: not HOME itself, nothing of the user's checkout or the data folder.

import { access } from "node:fs/promises";
import path from "node:path";
import { pathFolders } from "./environment.ts";
import { homeFolders } from "./layout.ts";
import { isWithin } from "./mounts.ts";

export interface Toolchains {
  /** Folders to show read-only, absolute, not yet resolved. */
  readonly folders: readonly string[];
  /** Variables that name a version manager's folder, which its programs would look for below HOME. */
  readonly variables: Readonly<Record<string, string>>;
}

interface VersionManager {
  /** Default folder, relative to HOME. */
  readonly folder: string;
  readonly variable?: string;
  /** A PATH folder outside `folder` whose programs need it, relative to HOME. */
  readonly shims?: string;
}

/** Installations whose programs reach beyond their own `bin`. */
const versionManagers: readonly VersionManager[] = [
  { folder: ".nvm", variable: "NVM_DIR" },
  { folder: ".volta", variable: "VOLTA_HOME" },
  { folder: ".nodenv", variable: "NODENV_ROOT" },
  { folder: ".local/share/fnm", variable: "FNM_DIR" },
  { folder: ".local/share/mise", variable: "MISE_DATA_DIR" },
  { folder: ".asdf", variable: "ASDF_DATA_DIR" },
  { folder: ".pyenv", variable: "PYENV_ROOT" },
  { folder: ".rbenv", variable: "RBENV_ROOT" },
  { folder: ".goenv", variable: "GOENV_ROOT" },
  { folder: ".sdkman", variable: "SDKMAN_DIR" },
  // ~/.cargo holds credentials beside its `bin`, so only ~/.rustup is shown whole.
  { folder: ".rustup", variable: "RUSTUP_HOME", shims: ".cargo/bin" },
  { folder: ".bun" },
  { folder: ".deno" },
  { folder: "miniconda3" },
  { folder: "anaconda3" },
  { folder: "miniforge3" },
];

/** Finds the toolchains behind the given PATH folders. `home` is the person's real home, absolute. */
export async function findToolchains(
  folders: readonly string[],
  home: string,
  inherited: Readonly<Record<string, string | undefined>>,
): Promise<Toolchains> {
  const shown = new Set<string>();
  const variables: Record<string, string> = {};
  for (const manager of versionManagers) {
    const named = manager.variable === undefined ? undefined : inherited[manager.variable];
    const root = named?.startsWith("/") === true ? path.normalize(named) : path.join(home, manager.folder);
    // A variable that names HOME or a folder above it would undo the hiding.
    if (isWithin(home, root)) continue;
    const shims = manager.shims === undefined ? root : path.join(home, manager.shims);
    if (!folders.some((folder) => isWithin(folder, root) || isWithin(folder, shims))) continue;
    shown.add(root);
    if (manager.variable !== undefined) variables[manager.variable] = root;
  }
  for (const folder of folders) {
    if (![...shown].some((root) => isWithin(folder, root))) shown.add(await installationOf(folder, home));
  }
  return { folders: [...shown], variables };
}

/** The toolchains on PATH, and the Node that runs us unless it is Electron's. */
export async function toolchainsOf(inherited: Readonly<Record<string, string | undefined>>): Promise<Toolchains> {
  const own = process.versions["electron"] === undefined ? [path.dirname(process.execPath)] : [];
  const folders = [...pathFolders(inherited["PATH"]), ...own];
  const found: Toolchains[] = [];
  for (const home of homeFolders()) found.push(await findToolchains(folders, home, inherited));
  return {
    folders: found.flatMap((each) => each.folders),
    variables: Object.assign({}, ...found.map((each) => each.variables)) as Record<string, string>,
  };
}

/** The prefix of an installation (`bin` beside `lib`, two or more folders below HOME), else the folder itself. */
async function installationOf(folder: string, home: string): Promise<string> {
  const prefix = path.dirname(folder);
  if (path.basename(folder) !== "bin" || !isWithin(prefix, home)) return folder;
  const below = path.relative(home, prefix).split(path.sep);
  // ~/.local and ~/.config/x hold more than programs; ~/sdk/go and ~/.nvm/versions/node/v24 do not.
  const isDeepEnough = below.length >= (below[0]?.startsWith(".") === true ? 3 : 2);
  return isDeepEnough && (await exists(path.join(prefix, "lib"))) ? prefix : folder;
}

/** Whether something is at `file` for this process. */
export function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
