import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findToolchains } from "./toolchains.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "coppice-home-"));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("a toolchain on PATH", () => {
  it.each([
    [".nvm/versions/node/v24/bin", ".nvm"],
    [".cargo/bin", ".rustup", ".cargo/bin"],
    ["sdk/go/bin", "sdk/go"],
    [".local/bin", ".local/bin"],
    [".config/tool/bin", ".config/tool/bin"],
    ["bin", "bin"],
  ])("in ~/%s shows no more than its installation", async (folder, ...shown) => {
    mkdirSync(path.join(home, folder), { recursive: true });
    mkdirSync(path.join(home, folder, "..", "lib"), { recursive: true });
    const found = await findToolchains([path.join(home, folder)], home, {});
    expect(found.folders).toEqual(shown.map((name) => path.join(home, name)));
  });

  it("is named to its programs, which would look below the hidden HOME", async () => {
    const found = await findToolchains([path.join(home, ".cargo/bin"), "/opt/pyenv/shims"], home, {
      PYENV_ROOT: "/opt/pyenv",
    });
    expect(found.variables).toEqual({ RUSTUP_HOME: path.join(home, ".rustup"), PYENV_ROOT: "/opt/pyenv" });
  });

  it("does not show HOME because a variable names it", async () => {
    const found = await findToolchains([path.join(home, "bin")], home, { NVM_DIR: home });
    expect(found).toEqual({ folders: [path.join(home, "bin")], variables: {} });
  });
});
