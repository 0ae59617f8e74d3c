// The built renderer, read once. A shell looks requests up in this map and never in the file system,
// so there is no path that could lead anywhere else.

import { readFile, readdir } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

import { WorkbenchError } from "../../shared/contract/errors.ts";

export interface RendererFile {
  readonly body: Buffer<ArrayBuffer>;
  readonly type: string;
}

/** URL path (`/assets/index-x.js`) to file. `/` is the page itself. */
export type RendererFiles = ReadonlyMap<string, RendererFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Reads every file below `folder` whose kind a page can use; links and other kinds (source maps) are left out. Throws `BAD_CONFIGURATION` when there is no page. */
export async function readRendererFiles(folder: string): Promise<RendererFiles> {
  const files = new Map<string, RendererFile>();
  for (const path of await listFiles(folder)) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    files.set(name === "/index.html" ? "/" : name, { body: await readFile(path), type });
  }
  if (!files.has("/")) {
    throw new WorkbenchError(
      "BAD_CONFIGURATION",
      `There is no index.html in ${folder}. Build the renderer first: npm run build.`,
    );
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (cause) {
    throw new WorkbenchError(
      "BAD_CONFIGURATION",
      `The renderer cannot be read from ${folder}. Build it first: npm run build.`,
      { cause },
    );
  }
}
