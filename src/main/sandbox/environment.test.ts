import { describe, expect, it } from "vitest";
import { cleanEnvironment, pathFolders } from "./environment.ts";

const request = {
  inherited: {
    PATH: "/usr/bin:relative::/bin:/usr/bin",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    TZ: "UTC",
    TERM: "xterm",
    USER: "u",
    HOME: "/home/u",
    OPENAI_API_KEY: "k",
    GITHUB_TOKEN: "k",
    SSH_AUTH_SOCK: "/s",
    GIT_DIR: "/g",
    COPPICE_HOME: "/c",
    BASH_ENV: "/b",
    NODE_OPTIONS: "--x",
    LD_PRELOAD: "/l",
    https_proxy: "http://user:word@proxy:1",
    HTTP_PROXY: "http://proxy:1",
  },
  shell: "/bin/bash",
  privateHome: "/data/home",
  tag: "run-1",
  mark: "mark-1",
  network: "off",
  toolchains: { NVM_DIR: "/home/u/.nvm" },
} as const;

describe("the environment of a command", () => {
  it("[D01] [D02] is built from an allow-list", () => {
    const { PATH, LANG, LC_ALL, TZ, TERM, USER, HOME, TMPDIR, NVM_DIR, COPPICE_RUN, COPPICE_COMMAND, ...rest } =
      cleanEnvironment(request);
    expect({ PATH, LANG, LC_ALL, TZ, TERM, USER, HOME, TMPDIR, NVM_DIR, COPPICE_RUN, COPPICE_COMMAND }).toEqual({
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      TZ: "UTC",
      TERM: "dumb",
      USER: "u",
      HOME: "/data/home",
      TMPDIR: "/data/home/tmp",
      NVM_DIR: "/home/u/.nvm",
      COPPICE_RUN: "run-1",
      COPPICE_COMMAND: "mark-1",
    });
    expect(
      Object.keys(rest)
        .filter((name) => !/^GIT_CONFIG_(COUNT|KEY_\d|VALUE_\d)$/.test(name))
        .toSorted(),
    ).toEqual([
      "CI",
      "DEBIAN_FRONTEND",
      "EDITOR",
      "GIT_EDITOR",
      "GIT_PAGER",
      "GIT_SEQUENCE_EDITOR",
      "GIT_TERMINAL_PROMPT",
      "PAGER",
      "SHELL",
      "VISUAL",
      "XDG_CACHE_HOME",
      "npm_config_cache",
      "npm_config_update_notifier",
      "npm_config_yes",
    ]);
  });

  it("names a proxy only with the network on, and never one with a password", () => {
    const { HTTP_PROXY, https_proxy } = cleanEnvironment({ ...request, network: "on" });
    expect([HTTP_PROXY, https_proxy, cleanEnvironment(request)["HTTP_PROXY"]]).toEqual([
      "http://proxy:1",
      undefined,
      undefined,
    ]);
  });

  it("sends git's new objects to the private folder, quoting what git would split", () => {
    const git = { commonDir: "/a:b/.git", objectFolder: "/data/objects" };
    expect(cleanEnvironment({ ...request, git })).toMatchObject({
      GIT_OBJECT_DIRECTORY: "/data/objects",
      GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/a:b/.git/objects"',
    });
  });

  it("has a PATH even when there is none", () => {
    expect([pathFolders(undefined), pathFolders("bin")]).toEqual([
      ["/usr/local/bin", "/usr/bin", "/bin"],
      ["/usr/local/bin", "/usr/bin", "/bin"],
    ]);
  });
});
