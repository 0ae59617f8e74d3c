// The readers' checkouts, with real git.

import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let root: Oid;

const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const at = (name: string) => join(temp.outside, "places", name);
const listed = () =>
  temp
    .git("worktree", "list", "--porcelain")
    .split("\n")
    .filter((line) => line.startsWith("worktree "));

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": "one\ntwo\n", "-dash": "x", 'dé/q"\t\n.md': "y", ".gitignore": "ignored\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = need(await port.openRepository(temp.folder));
  repo = opened.facts;
  root = opened.head;
});
afterEach(() => temp.cleanup());

describe("addCheckout", () => {
  test("holds the tree read-only, links as links, with nothing of git in it", async () => {
    symlinkSync("a.txt", join(temp.folder, "link"));
    const commit = temp.commitAll("link") as Oid;
    const place = need(await port.addCheckout(repo, at("c"), commit));
    const modes = ["", "a.txt", "dé"].map((name) => lstatSync(join(place.path, name)).mode & 0o222);
    expect({
      place,
      names: readdirSync(place.path).toSorted(),
      modes,
      isLink: lstatSync(join(place.path, "link")).isSymbolicLink(),
      listed: listed().length,
    }).toEqual({
      place: { kind: "checkout", path: at("c"), root: commit, gitDir: null },
      names: ["-dash", ".gitignore", "a.txt", "dé", "link"],
      modes: [0, 0, 0],
      isLink: true,
      listed: 1,
    });
  });

  test("[B14] a file whose name is no UTF-8 is made read-only and goes with the rest", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${temp.folder}/`), Buffer.of(0xff, 0x61)]), "x");
    const commit = temp.commitAll("a name of bytes") as Oid;
    const place = need(await port.addCheckout(repo, at("c"), commit));
    const file = Buffer.concat([Buffer.from(`${place.path}/`), Buffer.of(0xff, 0x61)]);
    expect(lstatSync(file).mode & 0o222).toBe(0);
    await port.removeWorkPlace(repo, place);
    expect(readdirSync(join(temp.outside, "places"))).toEqual([]);
  });

  test("is reused when whole for the same commit and made anew otherwise", async () => {
    need(await port.addCheckout(repo, at("c"), root));
    const made = lstatSync(join(at("c"), "a.txt")).ino;
    need(await port.addCheckout(repo, at("c"), root));
    const reused = lstatSync(join(at("c"), "a.txt")).ino;
    rmSync(`${at("c")}.done`);
    chmodSync(at("c"), 0o755);
    writeFileSync(join(at("c"), "half"), "x");
    need(await port.addCheckout(repo, at("c"), root));
    expect([reused === made, existsSync(join(at("c"), "half"))]).toEqual([true, false]);
  });

  test("a folder of them goes whole, and a repository never", async () => {
    need(await port.addCheckout(repo, at("c"), root));
    need(await port.addCheckout(repo, at("d"), root));
    await port.removeFolder(join(temp.outside, "places"));
    await expect(port.removeFolder(temp.folder)).rejects.toThrow("is a repository or a worktree");
    expect([existsSync(join(temp.outside, "places")), existsSync(temp.folder)]).toEqual([false, true]);
  });

  test("goes with its marker", async () => {
    const place = need(await port.addCheckout(repo, at("c"), root));
    await port.removeWorkPlace(repo, place);
    expect(readdirSync(join(temp.outside, "places"))).toEqual([]);
  });
});
