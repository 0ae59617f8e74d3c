// Owns how a small versioned file of the settings folder is kept: read anew each time, since other processes write it too,
// and changed under a lock. It must never lose what stands there silently, nor write over what it cannot read.

import { readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import { replaceFile, withFileLock } from "./settingsFile.ts";

interface Versioned {
  readonly version: number;
}

/** What a file holds, and what its content is called in messages, such as `command rules`. */
export interface KeptShape<Content extends Versioned> {
  readonly name: string;
  readonly what: string;
  readonly schema: z.ZodType<Content>;
  /** What a file that is not there holds; its version is the one that is written. */
  readonly empty: Content;
}

export interface KeptFile<Content> {
  /** `null`: it cannot be used just now. */
  find(): Content | null;
  /** Throws `BAD_CONFIGURATION`. */
  require(): Content;
  /** The very content that was given changes nothing. On disk when it resolves. Rejects with `BAD_CONFIGURATION`. */
  change(adapt: (content: Content) => Content): Promise<void>;
}

type Read<Content> =
  | { readonly kind: "content"; readonly content: Content }
  | { readonly kind: "damaged" | "newer" | "unreadable"; readonly why: string };

/**
 * Opens `settings/NAME` of the data folder. A damaged file is set aside under another name and reported; opening again
 * begins empty. One of a newer version is left alone. Rejects with `BAD_CONFIGURATION`.
 */
export async function openKeptFile<Content extends Versioned>(
  folder: string,
  shape: KeptShape<Content>,
): Promise<KeptFile<Content>> {
  const settings = join(folder, "settings");
  const file = join(settings, shape.name);
  await mkdir(settings, { recursive: true, mode: 0o700 });
  await readOrSetAside(file, shape);
  return {
    find: () => {
      const read = readContent(file, shape);
      return read.kind === "content" ? read.content : null;
    },
    require: () => {
      const read = readContent(file, shape);
      if (read.kind === "content") return read.content;
      throw refusal(`The ${shape.what} in ${file} cannot be used: ${read.why}. Start Coppice anew.`);
    },
    change: (adapt) =>
      withFileLock(`${file}.lock`, async () => {
        const before = await readOrSetAside(file, shape);
        const after = adapt(before);
        if (after !== before) await replaceFile(file, `${JSON.stringify(after, null, 2)}\n`);
      }),
  };
}

function readContent<Content extends Versioned>(file: string, shape: KeptShape<Content>): Read<Content> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { kind: "content", content: shape.empty };
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
  return parseContent(text, shape);
}

function parseContent<Content extends Versioned>(text: string, { schema, empty }: KeptShape<Content>): Read<Content> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { kind: "damaged", why: error instanceof Error ? error.message : String(error) };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: "content", content: parsed.data };
  const newer = z.object({ version: z.int().min(empty.version + 1) }).safeParse(json);
  if (newer.success)
    return { kind: "newer", why: `it has version ${newer.data.version}, and this Coppice knows ${empty.version}` };
  return { kind: "damaged", why: z.prettifyError(parsed.error).split("\n").join("; ") };
}

/** The content; a damaged file stays readable for people under another name. */
async function readOrSetAside<Content extends Versioned>(file: string, shape: KeptShape<Content>): Promise<Content> {
  const { what } = shape;
  const read = readContent(file, shape);
  switch (read.kind) {
    case "content":
      return read.content;
    case "newer":
      throw refusal(`The ${what} in ${file} were written by a newer Coppice: ${read.why}. Use that one.`);
    case "unreadable":
      throw refusal(`The ${what} in ${file} cannot be read (${read.why}). Check its permissions.`);
    case "damaged": {
      const aside = `${file}.damaged-${Date.now()}`;
      await rename(file, aside);
      throw refusal(
        `The ${what} in ${file} are damaged (${read.why}). They were set aside as ${aside}; mend them and put them back, or try again to go on without.`,
      );
    }
  }
}

function refusal(message: string): WorkbenchError {
  return new WorkbenchError("BAD_CONFIGURATION", message);
}
