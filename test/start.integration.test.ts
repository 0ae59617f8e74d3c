import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { projectRoot } from "./support/commandLineBuild.ts";

test("npm start says what it can be asked for before it installs or builds anything", () => {
  const start = join(projectRoot, "scripts/start.mjs");
  const said = execFileSync(process.execPath, [start, "--help"], { encoding: "utf8", env: { PATH: "" } });
  expect(said.match(/--[a-z]+/g)).toEqual(["--serve", "--port", "--host", "--open", "--demo", "--help"]);
});
