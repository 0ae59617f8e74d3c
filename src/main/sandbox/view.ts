// What a confined command sees of this machine beside its own folders, for a person who wants to know. It tells what
// layout.ts does; it decides nothing.

import type { CommandEnvironment } from "../engine/ports/command.ts";
import { scratchFolders, usuallyHidden } from "./layout.ts";
import { isWithin } from "./mounts.ts";
import { exists, toolchainsOf } from "./toolchains.ts";

/** Folders of this machine, absolute, each once. */
export interface SandboxView {
  /** Empty for a command, whatever is in them. */
  readonly hidden: readonly string[];
  /** Empty and writable, gone with the command. */
  readonly scratch: readonly string[];
  /** Shown read-only although they lie in a hidden one: the toolchains on PATH. */
  readonly shown: readonly string[];
}

/** As of now: folders that are not there are left out. */
export async function viewOf({ variables }: Pick<CommandEnvironment, "variables">): Promise<SandboxView> {
  const { folders } = await toolchainsOf(variables);
  const hidden = await existing(usuallyHidden());
  const isHidden = (folder: string) => hidden.some((one) => isWithin(folder, one));
  return { hidden, scratch: await existing(scratchFolders), shown: await existing(folders.filter(isHidden)) };
}

async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => ((await exists(folder)) ? [folder] : [])),
  );
  return found.flat();
}
