// What the app asks about branches and its own refs: drift, patch ids, hidden refs. With real git.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid, RunId } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let base: Oid;

const body = (edits: Record<number, string> = {}, shift = 0) =>
  "top\n".repeat(shift) + Array.from({ length: 40 }, (_, line) => `${edits[line] ?? `line ${line}`}\n`).join("");
const commit = (files: Record<string, string | Uint8Array>): Oid => {
  temp.write(files);
  return temp.commitAll("next") as Oid;
};
/** A commit over `parent`, the branch back at `parent` after it. */
const aside = (parent: Oid, files: Record<string, string | Uint8Array>): Oid => {
  temp.git("reset", "--quiet", "--hard", parent);
  const made = commit(files);
  temp.git("reset", "--quiet", "--hard", parent);
  return made;
};

beforeEach(async () => {
  temp = createTempRepository({
    "a.txt": body(),
    "b.txt": "b\n",
    "p.py": "if x:\n    y()\n",
    "x.bin": Buffer.of(0, 1),
  });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
  base = opened.value.head;
});
afterEach(() => temp.cleanup());

describe("driftBetween", () => {
  test("[B07] counts the commits ahead, those that touch the paths asked about, and names what differs", async () => {
    commit({ "a.txt": body({ 1: "x" }) });
    commit({ "b.txt": "c\n", "dé\n.txt": "new" });
    temp.git("commit", "--quiet", "--allow-empty", "-m", "empty");
    const tip = commit({ "b.txt": "d\n" });
    const [all, some, none] = [
      await port.driftBetween(repo, base, tip),
      await port.driftBetween(repo, base, tip, ["b.txt", "no.txt"]),
      await port.driftBetween(repo, base, tip, []),
    ];
    const odd = await port.driftBetween(repo, base, tip, ["dé\n.txt"]);
    expect([all, some.touching, none.touchingCount, odd.touchingCount]).toEqual([
      { aheadCount: 4, behindCount: 0, touchingCount: 4, paths: ["a.txt", "b.txt", "dé\n.txt"], touching: [] },
      [
        { commit: tip, subject: "next", paths: ["b.txt"] },
        { commit: temp.git("rev-parse", `${tip}~2`), subject: "next", paths: ["b.txt"] },
      ],
      0,
      1,
    ]);
    expect(some.touchingCount).toBe(2);
  });

  test("is the same whatever people have set for their own log", async () => {
    temp.write({ "b.txt": "c\n" });
    const tip = temp.commitAll("größer") as Oid;
    const set = {
      "diff.orderFile": "/nowhere",
      "i18n.logOutputEncoding": "latin1",
      "diff.relative": "true",
      "log.follow": "true",
    };
    for (const [name, value] of Object.entries(set)) temp.git("config", name, value);
    expect((await port.driftBetween(repo, base, tip, ["b.txt"])).touching).toEqual([
      { commit: tip, subject: "größer", paths: ["b.txt"] },
    ]);
    expect((await port.lookAtCheckout(repo)).subject).toBe("größer");
  });

  test("says when the branch was rewritten, and when nothing moved", async () => {
    const first = commit({ "a.txt": body({ 1: "x" }) });
    temp.git("reset", "--quiet", "--hard", base);
    const rewritten = commit({ "b.txt": "c\n" });
    expect([
      await port.driftBetween(repo, first, rewritten),
      await port.driftBetween(repo, base, base, ["a.txt"]),
    ]).toEqual([
      { aheadCount: 1, behindCount: 1, touchingCount: 1, paths: ["a.txt", "b.txt"], touching: [] },
      { aheadCount: 0, behindCount: 0, touchingCount: 0, paths: [], touching: [] },
    ]);
  });
});

describe("patchId", () => {
  test("stays when the same hunks apply elsewhere in a file and on another base", async () => {
    const change = aside(base, { "a.txt": body({ 20: "agent" }), "x.bin": Buffer.of(0, 2) });
    const moved = commit({ "a.txt": body({ 2: "user" }, 3), "other.txt": "o" });
    const again = commit({ "a.txt": body({ 2: "user", 20: "agent" }, 3), "x.bin": Buffer.of(0, 2) });
    expect(await port.patchId(repo, moved, again)).toBe(await port.patchId(repo, base, change));
  });

  test("differs for other lines, other surroundings, other white space, other bytes and another mode", async () => {
    const variants: Record<string, string | Uint8Array>[] = [
      { "a.txt": body({ 20: "agent" }) },
      { "a.txt": body({ 20: "other" }) },
      { "a.txt": body({ 21: "agent" }) },
      { "p.py": "if x:\n    y()\n    z()\n" },
      { "p.py": "if x:\n    y()\nz()\n" },
      { "x.bin": Buffer.of(0, 2) },
      { "x.bin": Buffer.of(0, 3) },
    ];
    const ids: string[] = [];
    for (const files of variants) ids.push(await port.patchId(repo, base, aside(base, files)));
    chmodSync(join(temp.folder, "b.txt"), 0o755);
    ids.push(await port.patchId(repo, base, temp.commitAll("mode") as Oid), await port.patchId(repo, base, base));
    expect(new Set(ids).size).toBe(variants.length + 2);
  });

  test("of a selection is that of the change with just those hunks", async () => {
    const both = aside(base, { "a.txt": body({ 3: "one", 30: "two" }), "b.txt": "c\n" });
    const one = aside(base, { "a.txt": body({ 3: "one" }) });
    expect(await port.patchId(repo, base, both, { "a.txt": [1] })).toBe(await port.patchId(repo, base, one));
  });
});

describe("hidden refs", () => {
  const ref = (name: string) => `refs/coppice/${name}`;

  test("are listed of one run or of all, and no other ref is", async () => {
    for (const name of ["r1/base", "r1/subagent-1/1", "r10/base"]) await port.pin(repo, ref(name), base);
    const names = (refs: readonly { ref: string }[]) => refs.map((one) => one.ref);
    expect([
      names(await port.listHiddenRefs(repo, "r1" as RunId)),
      names(await port.listHiddenRefs(repo)),
      await port.listHiddenRefs(repo, "r2" as RunId),
    ]).toEqual([
      [ref("r1/base"), ref("r1/subagent-1/1")],
      [ref("r1/base"), ref("r1/subagent-1/1"), ref("r10/base")],
      [],
    ]);
  });

  test("go when they stand where they were seen; one that moved stays and is named, one that is gone is no matter", async () => {
    for (const name of ["r/base", "r/moved", "r/kept"]) await port.pin(repo, ref(name), base);
    const seen = [
      ...(await port.listHiddenRefs(repo)).filter((one) => one.ref !== ref("r/kept")),
      { ref: ref("r/gone"), commit: base },
    ];
    const next = commit({ "b.txt": "c\n" });
    await port.pin(repo, ref("r/moved"), next);
    expect([await port.deleteHiddenRefs(repo, seen), temp.git("for-each-ref", "--format=%(refname)")]).toEqual([
      [{ ref: ref("r/moved"), commit: next }],
      `${ref("r/kept")}\n${ref("r/moved")}\nrefs/heads/main`.split("\n").toSorted().join("\n"),
    ]);
  });

  test("of other names are refused, and then nothing goes", async () => {
    await port.pin(repo, ref("r/base"), base);
    const deletion = port.deleteHiddenRefs(repo, [
      { ref: ref("r/base"), commit: base },
      { ref: "refs/heads/main", commit: base },
    ]);
    await expect(deletion).rejects.toThrow("Not a ref below refs/coppice/");
    expect(await port.readRef(repo, ref("r/base"))).toBe(base);
  });
});
