import { chmodSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { findEditor } from "./editors.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-editor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that writes down how it was called. */
function plant(name: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/called.tmp" && mv "${folder}/called.tmp" "${folder}/called"\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** The arguments of the call, once it was made. */
async function called(): Promise<readonly string[]> {
  const watching = watch(folder);
  try {
    await new Promise<void>((resolve) => watching.on("change", (_kind, name) => name === "called" && resolve()));
  } finally {
    watching.close();
  }
  return readFileSync(join(folder, "called"), "utf8").trimEnd().split("\n");
}

test.skipIf(process.platform === "win32")(
  "the editor of the environment opens a file at a line, as an argument and not through a shell",
  async () => {
    const editor = findEditor({ PATH: folder, COPPICE_EDITOR: plant("zed") });
    const calls = called();
    await editor?.open("/a b/$(touch x).ts", 12);
    expect([editor?.name, await calls]).toEqual(["Zed", ["/a b/$(touch x).ts:12"]]);
  },
);

test("an editor that is not there is not offered", () => {
  expect(findEditor({ PATH: folder, COPPICE_EDITOR: "nowhere-at-all" })).toBeNull();
});
