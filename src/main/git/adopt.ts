// Copies objects that an agent's git wrote to a private folder into the repository. What is in that folder is the agent's word:
// a loose object is taken only if it hashes to its name, a pack only as git itself indexes it anew. Links are not followed.

import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { RepositoryFacts } from "../domain/records.ts";
import { findNames, hasEntry, isMissing } from "./files.ts";
import { longTimeoutMs } from "./git.ts";
import { gitObjects } from "./objects.ts";

const fanPattern = /^[0-9a-f]{2}$/;
const loosePattern = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const packPattern = /^pack-[0-9a-f]{40,64}\.pack$/;
const objectLimitBytes = 512 * 1024 * 1024;

/** Idempotent; objects that the repository has are skipped. A folder that does not exist holds nothing. */
export async function adoptObjects(repo: RepositoryFacts, objectFolder: string): Promise<void> {
  const target = join(repo.commonDir, "objects");
  for (const fan of await namesIn(objectFolder, fanPattern)) {
    for (const name of await namesIn(join(objectFolder, fan), loosePattern)) {
      if (!(await hasEntry(join(target, fan, name))))
        await adoptLoose(join(objectFolder, fan, name), target, fan, name);
    }
  }
  for (const name of await namesIn(join(objectFolder, "pack"), packPattern)) {
    if (!(await hasEntry(join(target, "pack", name)))) await adoptPack(repo, join(objectFolder, "pack", name));
  }
}

async function adoptLoose(from: string, target: string, fan: string, name: string): Promise<void> {
  const bytes = await readPlainFile(from);
  if (bytes === null || !hashesTo(bytes, fan + name)) return;
  await mkdir(join(target, fan), { recursive: true });
  const temporary = join(target, fan, `tmp_obj_coppice-${randomUUID()}`);
  try {
    await writeFile(temporary, bytes, { flag: "wx", flush: true });
    await chmod(temporary, 0o444);
    await rename(temporary, join(target, fan, name));
  } finally {
    await rm(temporary, { force: true });
  }
}

async function adoptPack(repo: RepositoryFacts, from: string): Promise<void> {
  const input = await readPlainFile(from);
  if (input !== null)
    await gitObjects(repo, { args: ["index-pack", "--stdin", "--fix-thin"], input, timeoutMs: longTimeoutMs });
}

function hashesTo(compressed: Buffer, name: string): boolean {
  try {
    const bytes = inflateSync(compressed, { maxOutputLength: objectLimitBytes });
    return (
      createHash(name.length === 40 ? "sha1" : "sha256")
        .update(bytes)
        .digest("hex") === name
    );
  } catch (error) {
    // Not a zlib stream, or one that unpacks to more than any object here may: either way not the object that it is named.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** `null` for a link, for anything that is no file, and for what has gone. */
async function readPlainFile(path: string): Promise<Buffer | null> {
  if (!(await isPlain(path, "file"))) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  if (!(await isPlain(folder, "folder"))) return [];
  return ((await findNames(folder)) ?? []).filter((name) => pattern.test(name));
}

async function isPlain(path: string, kind: "file" | "folder"): Promise<boolean> {
  try {
    const entry = await lstat(path);
    return kind === "file" ? entry.isFile() : entry.isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
