// Which names pass, and how paths are spelt.

import { describe, expect, test } from "vitest";
import { cleanEnvironment } from "./git.ts";
import { requireOid, requireRef, showPath, splitNul } from "./names.ts";

describe("object names", () => {
  test("40 and 64 lower-case hex digits pass", () => {
    expect([requireOid("a".repeat(40)), requireOid("0".repeat(64))]).toEqual(["a".repeat(40), "0".repeat(64)]);
  });

  test.each(["", "HEAD", "a".repeat(39), "A".repeat(40), `${"a".repeat(40)}^{tree}`, "--all"])(
    "%j is refused",
    (text) => {
      expect(() => requireOid(text)).toThrow("Not an object name");
    },
  );
});

describe("ref names", () => {
  test("a hidden ref of the app passes", () => {
    expect(requireRef("refs/coppice/r1/subagent-1/1", "refs/coppice/")).toBe("refs/coppice/r1/subagent-1/1");
  });

  test.each([
    "refs/heads/main",
    "refs/coppice/../heads/main",
    "refs/coppice/a.lock",
    "refs/coppice/a@{1}",
    "refs/coppice/",
    "refs/coppice/a b",
    "refs/coppice/.a",
  ])("%j is no ref that the app may pin", (ref) => {
    expect(() => requireRef(ref, "refs/coppice/")).toThrow("Not a ref below refs/coppice/");
  });
});

describe("paths", () => {
  test("[B14] UTF-8 is shown as it is and other bytes are quoted as git quotes them", () => {
    expect([showPath(Buffer.from('dé/q"\t\n.md')), showPath(Buffer.from([0x61, 0xff, 0x22, 0x62]))]).toEqual([
      'dé/q"\t\n.md',
      '"a\\377\\"b"',
    ]);
  });

  test("fields end at NUL and the last one need not", () => {
    expect(splitNul(Buffer.from("a\0\0b\0c")).map(String)).toEqual(["a", "", "b", "c"]);
  });
});

describe("the environment of git", () => {
  test("[A29] keeps which settings apply and drops every other inherited GIT_ variable", () => {
    const env = cleanEnvironment({
      GIT_DIR: "/x",
      GIT_INDEX_FILE: "/y",
      GIT_AUTHOR_NAME: "Eve",
      GIT_CONFIG_PARAMETERS: "x",
      GIT_CONFIG_GLOBAL: "/g",
      SSH_ASKPASS: "ask",
      HOME: "/h",
    });
    expect(env).toEqual({
      HOME: "/h",
      GIT_CONFIG_GLOBAL: "/g",
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_LITERAL_PATHSPECS: "1",
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_COMMITTER_NAME: "Coppice",
      GIT_COMMITTER_EMAIL: "coppice@localhost",
    });
  });
});
