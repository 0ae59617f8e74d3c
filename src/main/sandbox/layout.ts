// Owns what a command may see: resolves a command's folders on this disk into the mounts of the sandbox.
// It changes nothing but one empty `config.worktree`; what cannot be hidden or locked is an error, never a shrug.

import { lstat, readFile, realpath, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { CommandSpec } from "../engine/ports/command.ts";
import { isVisible, isWithin, type Layout, type Mount } from "./mounts.ts";

/** Hidden for every command besides HOME: other people's files, and the sockets of services and agents. */
const hiddenSystemFolders: readonly string[] =
  process.platform === "darwin" ? ["/Users", "/var/root", "/var/run", "/var/folders"] : ["/root", "/run", "/var/run"];
/** Replaced by scratch space, since programs have these names built in. */
export const scratchFolders: readonly string[] = ["/tmp", "/var/tmp"];

/** Folders to show read-only although a hidden folder covers them; those that are not covered need no mention. */
export interface VisibleFolders {
  /** Named in settings: shown wherever they are. */
  readonly named: readonly string[];
  /** Found on PATH: shown below HOME and the like, never inside the user's checkout or the data folder. */
  readonly found: readonly string[];
}

/**
 * Looks up what exists and returns the layout for one command. Every folder of the spec but `hidden` is resolved
 * already, `cwd` too. Throws when a file of git that must be locked is not the file that git made.
 */
export async function resolveLayout(spec: CommandSpec, cwd: string, visible: VisibleFolders): Promise<Layout> {
  const system = [...(await emptyMounts(scratchFolders, true)), ...(await emptyMounts(usuallyHidden(), false))];
  const own = await emptyMounts(spec.hidden, false);
  const hidden = [...system, ...own];
  const named = spec.network === "on" ? [...visible.named, "/etc/resolv.conf"] : visible.named;
  const found = await visibleMounts(visible.found, hidden);
  const isReadOnly = spec.isRootReadOnly === true;
  const mounts: Mount[] = [
    ...hidden,
    ...(await visibleMounts(named, hidden)),
    ...found.filter(
      (mount) => !own.some((folder) => isWithin(mount.source, folder.path) || isWithin(mount.path, folder.path)),
    ),
    { kind: isReadOnly ? "readOnly" : "writable", path: spec.root },
    { kind: "writable", path: spec.privateHome },
    ...(spec.git === undefined ? [] : await gitMounts(spec.git, spec.root, isReadOnly)),
  ];
  return { mounts: [...mounts, ...(await socketMounts(mounts))], cwd, network: spec.network };
}

/** Hidden from every command, whatever its run: the person's home folders, and what `hiddenSystemFolders` names. */
export function usuallyHidden(): readonly string[] {
  return [...homeFolders(), ...hiddenSystemFolders];
}

/** The person's home folders: by environment and by account, which differ under `sudo` and in containers. */
export function homeFolders(): readonly string[] {
  const folders = [os.homedir(), os.userInfo().homedir];
  return [...new Set(folders)].filter((folder) => path.isAbsolute(folder) && folder !== "/");
}

async function emptyMounts(folders: readonly string[], isWritable: boolean): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const folder of folders) {
    const real = await resolveExisting(folder);
    if (real === null || real === "/") continue;
    const isFolder = (await lstat(real)).isDirectory();
    mounts.push(isFolder ? { kind: "empty", path: real, isWritable } : { kind: "masked", path: real });
  }
  return mounts;
}

interface ShownMount {
  readonly kind: "readOnly";
  readonly path: string;
  readonly source: string;
}

/** Shows folders again that hiding would take away, under their real name and under the name they are called by. */
async function visibleMounts(folders: readonly string[], hidden: readonly Mount[]): Promise<readonly ShownMount[]> {
  const mounts: ShownMount[] = [];
  // Shorter names first: what an outer folder shows already needs no mount inside it, where a link could lead astray.
  for (const folder of folders.toSorted((a, b) => a.length - b.length)) {
    const source = await resolveExisting(folder);
    if (source === null) continue;
    for (const name of new Set([source, path.normalize(folder)])) {
      if (!isVisible(name, [...hidden, ...mounts])) mounts.push({ kind: "readOnly", path: name, source });
    }
  }
  return mounts;
}

async function gitMounts(
  git: NonNullable<CommandSpec["git"]>,
  root: string,
  isReadOnly: boolean,
): Promise<readonly Mount[]> {
  const { commonDir, gitDir, objectFolder } = git;
  // An agent that rewrites one of these has its own configuration, and so its own commands, run by the next git outside.
  const locked = [path.join(root, ".git"), path.join(gitDir, "commondir"), path.join(gitDir, "gitdir")];
  for (const file of locked) await requirePlainFile(file);
  // Made empty when missing: what does not exist cannot be locked, and creating it later would do the harm.
  const worktreeConfig = path.join(gitDir, "config.worktree");
  await writeFile(worktreeConfig, "", { flag: "a" });
  await requirePlainFile(worktreeConfig);
  const lockFile = path.join(gitDir, "locked");
  const isLocked = (await resolveExisting(lockFile)) !== null;
  const readOnly = [
    commonDir,
    ...(await alternatesOf(commonDir)),
    ...locked,
    worktreeConfig,
    ...(isLocked ? [lockFile] : []),
  ];
  return [
    ...readOnly.map((file): Mount => ({ kind: "readOnly", path: file })),
    { kind: isReadOnly ? "readOnly" : "writable", path: gitDir },
    { kind: "writable", path: objectFolder },
  ];
}

/** Object folders that the repository borrows from (`clone --shared`, `--reference`), followed a few steps. */
async function alternatesOf(commonDir: string): Promise<readonly string[]> {
  const found = new Set<string>();
  let pending = [path.join(commonDir, "objects")];
  for (let step = 0; step < 5 && pending.length > 0; step += 1) {
    const next: string[] = [];
    for (const objects of pending) {
      const listed = await readIfPresent(path.join(objects, "info", "alternates"));
      for (const line of listed.split("\n")) {
        const real = line === "" || line.startsWith("#") ? null : await resolveExisting(path.resolve(objects, line));
        if (real !== null && !found.has(real)) next.push(real);
      }
    }
    for (const objects of next) found.add(objects);
    pending = next;
  }
  return [...found];
}

/** A read-only mount does not keep anyone from connecting to a socket, so every one that is bound here is covered. */
async function socketMounts(mounts: readonly Mount[]): Promise<readonly Mount[]> {
  const listed = (await readIfPresent("/proc/net/unix")).split("\n");
  const paths = new Set(listed.flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []));
  const masks: Mount[] = [];
  for (const name of paths) {
    const real = await resolveExisting(name);
    if (real === null || ["/dev", "/proc"].some((folder) => isWithin(real, folder)) || !isVisible(real, mounts))
      continue;
    if ((await lstat(real)).isSocket()) masks.push({ kind: "masked", path: real });
  }
  return masks;
}

async function requirePlainFile(file: string): Promise<void> {
  const isPlain = await lstat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isPlain) throw new Error(`${file} is not the file that git made there. Give the subagent a new work place.`);
}

/** The resolved path, or `null` when there is nothing, or nothing that this account can reach. */
export function resolveExisting(file: string): Promise<string | null> {
  return realpath(file).catch(() => null);
}

function readIfPresent(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
