import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Oid } from "../../shared/contract/ids.ts";
import { openCommandRules } from "./commandRules.ts";

const repo = { commonDir: "/home/ada/code/.git", rootCommit: "a".repeat(40) as Oid };
const others = [
  { ...repo, commonDir: "/home/ada/copy/.git" },
  { ...repo, rootCommit: "b".repeat(40) as Oid },
];

describe("the rules for commands", () => {
  let home: string;
  let file: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "coppice-rules-"));
    file = join(home, "settings", "command-rules.json");
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const plant = (content: string): void => {
    mkdirSync(join(home, "settings"), { recursive: true });
    writeFileSync(file, content);
  };

  it("hold for their repository, by common dir and root commit, and in every process", async () => {
    const rules = await openCommandRules(home);
    await rules.allow(repo, "npm test");
    const elsewhere = await openCommandRules(home);
    expect([repo, ...others].map((each) => elsewhere.matches(each, "npm  test"))).toEqual([true, false, false]);
    await elsewhere.forget(repo, "npm test");
    expect(rules.matches(repo, "npm test")).toBe(false);
  });

  it("are kept once each, oldest first, words as words and shell lines as they are", async () => {
    const rules = await openCommandRules(home);
    for (const line of ["npm test", "a | b", "npm 'test'", "a | b", "make"]) await rules.allow(repo, line);
    expect(rules.list(repo)).toEqual([
      { kind: "argv", argv: ["npm", "test"] },
      { kind: "shell", line: "a | b" },
      { kind: "argv", argv: ["make"] },
    ]);
    await rules.forget(repo, "a | b");
    await rules.forget(repo, "never allowed");
    expect(rules.list(repo)).toHaveLength(2);
    expect(readdirSync(join(home, "settings"))).toEqual(["command-rules.json"]);
  });

  it("lose nothing when several are written at a time", async () => {
    const [here, there] = await Promise.all([openCommandRules(home), openCommandRules(home)]);
    const lines = Array.from({ length: 12 }, (_, index) => `make target-${index}`);
    await Promise.all(lines.map((line, index) => (index % 2 === 0 ? here : there).allow(repo, line)));
    expect(lines.filter((line) => !here.matches(repo, line))).toEqual([]);
  });

  it.each([
    ["", "Unexpected end"],
    ["{", "JSON"],
    [`{"version":1,"repositories":[{"commonDir":"/x"}]}`, "rootCommit"],
    [`{"version":1,"repositories":[],"more":true}`, "more"],
  ])("[G10] of a damaged file are set aside and reported, and matched by nothing: %s", async (content, why) => {
    plant(content);
    await expect(openCommandRules(home)).rejects.toMatchObject({ code: "BAD_CONFIGURATION" });
    const [aside] = readdirSync(join(home, "settings"));
    expect(aside).toMatch(/^command-rules\.json\.damaged-\d+$/);
    expect(readFileSync(join(home, "settings", aside ?? ""), "utf8")).toBe(content);
    plant(content);
    await expect(openCommandRules(home)).rejects.toThrow(why);
    const rules = await openCommandRules(home);
    plant(content);
    expect(rules.matches(repo, "npm test")).toBe(false);
    expect(() => rules.list(repo)).toThrow("cannot be used");
    await expect(rules.allow(repo, "npm test")).rejects.toThrow("set aside");
  });

  it("of a newer Coppice are left alone", async () => {
    const content = `{"version":2,"rules":[]}`;
    plant(content);
    await expect(openCommandRules(home)).rejects.toThrow("newer Coppice");
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("are written past a lock that a crash has left", async () => {
    const rules = await openCommandRules(home);
    const lock = `${file}.lock`;
    writeFileSync(lock, "");
    utimesSync(lock, 0, 0);
    await rules.allow(repo, "npm test");
    expect([rules.matches(repo, "npm test"), readdirSync(join(home, "settings"))]).toEqual([
      true,
      ["command-rules.json"],
    ]);
  });
});
