// What stands behind a shell beside its runs, over a real data folder, a real repository and a scripted model.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  calls,
  edit,
  endStories,
  openStory,
  say,
  spawn,
  submit,
  wait,
  type Story,
} from "../../../test/support/workbenchStory.ts";
import { createCommands } from "../sandbox/command.ts";
import { pathFolders } from "../sandbox/environment.ts";
import { careSchemas } from "../../renderer/client/careSchemas.ts";
import { progressSnapshot } from "../../renderer/client/snapshotSchemas.ts";
import type { CareBodies, CareCommand, CareKind, CareQueries, CareReceipt } from "../../shared/contract/care.ts";
import type { CommandId, RunId } from "../../shared/contract/ids.ts";
import type { LiveRun } from "../runs/liveRun.ts";
import type { PageRequest } from "../../shared/contract/pages.ts";
import { progressWords } from "../../shared/contract/progress.ts";
import type { SettingsSnapshot } from "../../shared/contract/settings.ts";
import { openCommandRules } from "../settings/commandRules.ts";

const turns = [
  {
    match: /^Begin/,
    turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Züri is done.")],
  },
  {
    match: /^EXEC/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("It said two")],
  },
  { match: /^Call the tool/, turns: [calls({ name: "ready", args: { word: "yes" } })] },
];

describe("the application beside its runs", () => {
  let story: Story;
  let live: LiveRun;
  let other: LiveRun;
  let run: RunId;
  let commandCount = 0;

  beforeAll(async () => {
    story = await openStory(turns, {
      "a.txt": "one\ntwo\nthree\n",
      "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
      "package-lock.json": "{}",
      ".coppice/templates/broken.json": "{",
    });
    live = await story.run("Begin to count\nand go on");
    run = live.run;
  });
  afterAll(async () => {
    await Promise.all([live.release(), other.release()]);
    await endStories();
  });

  async function read<K extends CareKind>(kind: K, query: CareQueries[K]): Promise<CareBodies[K]> {
    const answer = await story.workbench.source.readPage({ kind, ...query } as unknown as PageRequest);
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    expect(careSchemas[kind].parse(answer.value)).toEqual(answer.value);
    return answer.value as CareBodies[K];
  }

  async function act(command: CareCommand): Promise<CareReceipt> {
    commandCount += 1;
    const commandId = `care-command-${commandCount}` as CommandId;
    const answer = await story.workbench.source.execute({ commandId, command });
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.value as CareReceipt;
  }

  const find = async (text: string) => {
    const { hits, behindCount } = await read("search", { text, limit: 20 });
    expect(behindCount).toBe(0);
    return hits.map(({ kind, agent, where, excerpt }) => [
      kind,
      agent,
      where,
      excerpt.replaceAll(/[\u0002\u0003]/g, "|"),
    ]);
  };

  it("finds words in titles, in what was said and in the names of changed files, with the place", async () => {
    expect(await find("begin count")).toEqual([
      ["title", "lead", "the title", "|Begin| to |count|"],
      ["transcript", "lead", "the task", "|Begin| to |count|\nand go on"],
    ]);
    expect(await find("zuri")).toContainEqual(["transcript", "lead", "the answer", "|Züri| is done."]);
    expect(await find("a.tx")).toContainEqual(["file", "subagent-1", "changed in subagent-1.1", "|a.txt|"]);
    expect(await find("and OR NOT (")).toEqual([]);
  });

  it("finds a new title at once, and builds a damaged index anew", async () => {
    expect(await find("renamed")).toEqual([]);
    other = await story.begin("Another thing");
    expect(await find("another")).toContainEqual(["title", "lead", "the title", "|Another| thing"]);
    await other.dispatch({ type: "run.rename", title: "Renamed since", by: "a person" });
    expect(await find("renamed")).toEqual([["title", "lead", "the title", "|Renamed| since"]]);
    const elsewhere = await story.reopen();
    writeFileSync(join(story.home, "search", "index.db"), "this is no database");
    const answer = await elsewhere.source.readPage({ kind: "search", text: "renamed", limit: 5 });
    expect(answer).toMatchObject({ ok: true, value: { hits: [{ run: other.run, runTitle: "Renamed since" }] } });
  });

  it("[D13] shows where commands find their programs, and takes another PATH", async () => {
    const before = await read("commandPath", {});
    await act({ type: "changeSettings", changes: { environment: { path: "/only/this:/usr/bin:/bin" } } });
    const set = await read("commandPath", {});
    await act({ type: "changeSettings", changes: { environment: { path: null } } });
    expect([before, set, await read("commandPath", {})]).toEqual([
      { folders: pathFolders(process.env["PATH"]), from: "app", problem: null },
      { folders: ["/only/this", "/usr/bin", "/bin"], from: "settings", problem: null },
      before,
    ]);
  });

  it("shows a repository as a new run would find it", async () => {
    writeFileSync(join(story.repository.folder, "new.txt"), "mine");
    expect(await read("repository", { folder: story.repository.folder })).toMatchObject({
      folder: story.repository.folder,
      branch: "main",
      dirtyCount: 1,
      dirty: ["new.txt"],
      locks: [{ path: "package-lock.json", install: "npm ci" }],
      checks: ["npm test"],
      usualMicros: null,
    });
    expect(await read("files", { folder: story.repository.folder, typed: "pack" })).toEqual({
      paths: ["package.json", "package-lock.json"],
    });
    const { folders } = await read("folders", { typed: "" });
    expect(folders).toEqual([{ path: story.repository.folder, isRepository: true }]);
  });

  it("shows what confines commands here, tried, and the policies with where each template comes from", async () => {
    const { kind, isWhole, missing, hidden } = await read("sandbox", {});
    expect({ kind, isWhole, missing }).toEqual(await createCommands().report());
    expect(hidden).toContain(homedir());
    const { presets, templates, files } = await read("policies", { folder: story.repository.folder });
    expect(presets.find(({ name }) => name === "default")?.needs[0]).toMatchObject({ name: "independent-context" });
    expect(templates.map(({ problem }) => problem)).toEqual(templates.map(() => null));
    expect(files).toEqual([
      {
        name: "broken",
        path: ".coppice/templates/broken.json",
        about: "",
        figures: null,
        problem: expect.stringContaining(".coppice/templates/broken.json is not JSON"),
      },
    ]);
  });

  it("says what is wrong with a folder that is no repository", async () => {
    const answer = await story.workbench.source.readPage({ kind: "repository", folder: "/nowhere/at/all" });
    expect(answer).toMatchObject({ ok: false, error: { code: "REPOSITORY_NOT_FOUND" } });
  });

  it("tests a model by having it call a tool", async () => {
    const { baseUrl } = story.server;
    expect(await read("modelTest", { baseUrl, model: "scripted" })).toMatchObject({
      answered: true,
      callsTools: true,
      problem: null,
    });
    expect(await read("modelTest", { baseUrl: "http://127.0.0.1:1/v1", model: "x" })).toMatchObject({
      answered: false,
      callsTools: false,
      problem: { code: "ENDPOINT_UNREACHABLE" },
    });
  });

  it("has settings that are followed, hold for the next run, and never hold a key", async () => {
    const seen: SettingsSnapshot[] = [];
    const followed = await story.workbench.source.subscribe("settings", (snapshot) => {
      seen.push(snapshot as SettingsSnapshot);
    });
    expect(followed).toMatchObject({ ok: true, value: { first: { problem: null, keychain: null, keysFound: [] } } });
    await act({ type: "changeSettings", changes: { data: { keepDays: 3 } } });
    await expect.poll(() => seen.at(-1)?.settings.data).toEqual({ keepDays: 3 });
    const refused = await story.workbench.source.execute({
      commandId: "keep-key-1" as CommandId,
      command: { type: "keepKey", provider: "local", key: "sk-secret-secret" },
    });
    expect(refused).toMatchObject({ ok: false, error: { code: "NO_KEYCHAIN" } });
  });

  it("says what would happen to a command and to a path, by the rules that agents meet", async () => {
    const rules = await openCommandRules(story.home);
    await rules.allow(live.state().repo, "git push --force");
    const { repositories } = await read("rules", {});
    expect(repositories).toMatchObject([{ folder: story.repository.folder, lines: ["git push --force"] }]);
    const repository = repositories[0]?.repository ?? "";
    const test = async (line: string) => (await read("commandTest", { line, repository })).verdict;
    expect([await test("git push --force"), await test("git  push --force"), await test("git push")]).toEqual([
      "runs",
      "runs",
      "asks",
    ]);
    await act({ type: "forgetRule", repository, line: "git push --force" });
    expect(await test("git push --force")).toBe("asks");
    expect(await read("pathTest", { path: ".github/workflows/ci.yml" })).toMatchObject({ verdict: "reviewed" });
  });

  it("counts the disk, proves a journal, and cleans up what nobody needs", async () => {
    const storage = await read("storage", {});
    expect(storage).toMatchObject({ folder: story.home, runCount: 2, finishedCount: 1, isPartial: false });
    expect(storage.journal).toBeGreaterThan(0);
    const left = join(story.home, "places", "left");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "a.txt"), "x".repeat(1_000));
    expect((await read("storage", {})).worktrees).toBe(storage.worktrees + 1_000);
    rmSync(left, { recursive: true });
    expect(await read("runCheck", { run })).toEqual({ faults: [] });
    mkdirSync(join(story.home, "runs", "gone"), { recursive: true });
    const told: (string | undefined)[] = [];
    const followed = await story.workbench.source.subscribe("progress", (snapshot) => {
      const [work] = progressSnapshot.parse(snapshot).works;
      told.push(work && `${work.work}: ${progressWords(work)}`);
    });
    expect(followed).toMatchObject({ ok: true, value: { first: { works: [] } } });
    expect((await act({ type: "cleanUp" })).said).toBe("Removed: 1 folder of a run that is over.");
    if (followed.ok) followed.value.unsubscribe();
    const runs = ["0 of 2 runs", "1 of 2 runs", "2 of 2 runs"];
    const expected = [...runs, ...runs, "0 of 1 folder", "1 of 1 folder"].map((words) => `cleanUp: ${words}`);
    expect(told).toEqual([...expected, undefined]);
    expect((await act({ type: "cleanUp" })).said).toBe("There was nothing to remove.");
  });

  it("shows the commands that a repository brings, trusts just those that were shown, and trusts them no more when told so", async () => {
    const { repository } = story;
    repository.write({ ".coppice/config.json": `{ "setup": ["npm ci"], "budget": { "steps": 7 } }` });
    repository.commitAll("configuration");
    const { folder } = repository;
    const look = async () => (await read("repository", { folder })).configuration;
    const shown = await look();
    expect(shown).toMatchObject({
      commands: { setup: ["npm ci"], verify: [] },
      isTrusted: false,
      ceilings: { steps: 7 },
      problem: null,
    });
    await act({ type: "trustCommands", folder, hash: shown.hash });
    expect((await look()).isTrusted).toBe(true);

    repository.write({ ".coppice/config.json": `{ "setup": ["npm ci && curl example.test"] }` });
    repository.commitAll("other commands");
    expect((await look()).isTrusted).toBe(false);
    const stale = await story.workbench.source.execute({
      commandId: "trust-again-1" as CommandId,
      command: { type: "trustCommands", folder, hash: shown.hash },
    });
    expect(stale).toMatchObject({ ok: false, error: { code: "COMMANDS_UNTRUSTED" } });
    const [trusted] = (await read("rules", {})).trusted;
    expect(trusted).toMatchObject({ folder, entries: [{ hash: shown.hash, setup: ["npm ci"], verify: [] }] });
    await act({ type: "forgetTrust", repository: trusted?.repository ?? "", hash: shown.hash });
    expect((await read("rules", {})).trusted).toEqual([]);

    repository.write({ ".coppice/config.json": `{ "network": "on" }` });
    repository.commitAll("what is not for it to set");
    expect((await look()).problem).toContain("`network` is never taken from a repository");
  });

  it("shows what was decided since a moment, by whom and what landed; what a fork remembers is not decided again", async () => {
    const { runs } = story.workbench;
    const decided = async (since: number) => {
      const { decided: lines, total } = await read("decided", { since });
      return [total, lines];
    };
    const journal = await story.workbench.journal(run);
    const landed = journal.find((event) => event.type === "changeset.landed")?.data.commit;
    const said = journal.find((event) => event.type === "approval.decided");
    const line = {
      approval: `${run}-a1`,
      run,
      runTitle: "Begin to count",
      kind: "changeset",
      agent: "subagent-1",
      role: "executor",
      summary: expect.stringContaining("EXEC"),
      n: said?.n,
      at: said?.at,
      decision: "approved",
      by: "policy auto",
      scope: "once",
      changeset: "subagent-1.1",
      landed,
    };
    expect(await decided(0)).toEqual([1, [line]]);
    expect(await decided((said?.at ?? 0) + 1)).toEqual([0, []]);
    const forked = await runs.fork(run, { run: "forked-after" as RunId, at: journal.length, base: "line" });
    expect([forked.ok, await decided(0)]).toEqual([true, [1, [line]]]);
  });
});
