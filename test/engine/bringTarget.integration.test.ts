// Sending a conflict back with the target: the executor resolves it in its own worktree, against the target as it stands.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

import type { ApprovalId } from "../../src/shared/contract/ids.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import { decide, leavings, placeOf } from "../support/storyProbes.ts";
import { isThorough } from "../support/thorough.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const change = (oldText: string, newText: string) => ({ kind: "replace", path: "a.txt", oldText, newText }) as const;
const sendBack = (run: LiveRun, approval: string, comment: string) =>
  decide(run, "sent_back", { approval: approval as ApprovalId, comment, bringsTarget: true });

test("a conflict that is sent back with its target is resolved in the worktree, against the target, and lands; the checkout never has marks", async () => {
  const story = await openStory([
    {
      match: /^Begin/,
      turns: [
        calls(spawn("EXEC", { role: "executor", paths: ["a.txt", "new.txt"] })),
        wait(["subagent-1"]),
        say("Yours."),
        say("Landed."),
      ],
    },
    {
      match: /^EXEC/,
      turns: [
        edit(change("two", "zwei"), { kind: "create", path: "new.txt", content: "mine\n" }),
        submit("done"),
        submit("nothing to resolve, I think"),
        call("readFile", { path: "a.txt" }),
        edit(
          change("<<<<<<< main\ndeux\n||||||| what both began with\ntwo\n=======\nzwei\n>>>>>>> your change\n", "2\n"),
        ),
        submit("resolved"),
      ],
    },
  ]);
  const { repository } = story;
  const run = await story.begin("Begin", {
    options: { approve: "each", landOn: { kind: "branch", name: "main" } },
    budget: { steps: 100 },
  });
  await run.drive(true);
  const set = (number: number) => run.state().changeSets[number - 1];
  repository.write({ "a.txt": "one\ndeux\nthree\n", "theirs.txt": "theirs\n" });
  const tip = repository.commitAll("Theirs");
  await decide(run, "approved", { approval: `${run.run}-a1` as ApprovalId });
  await run.drive(true);
  expect(set(1)?.held?.code).toBe("CONFLICT");

  await sendBack(run, `${run.run}-a1`, "Resolve it.");
  await run.drive(true);
  const place = placeOf(run, "subagent-1") ?? "";
  expect(eventsOf(run, "worktree.rebased").map(({ data }) => data)).toMatchObject([
    { path: place, changeset: "subagent-1.1", root: tip, conflicts: ["a.txt"] },
  ]);
  expect(readFileSync(join(place, "theirs.txt"), "utf8")).toBe("theirs\n");
  const heard = story.server.requests.findLast((request) => request.firstUserMessage.startsWith("EXEC"))?.body.messages;
  expect(heard?.slice(-2).map(({ content }) => content)).toEqual([
    "Resolve it.",
    expect.stringMatching(/^The system brought main into your worktree.*Both changed the same places of a\.txt/),
  ]);
  // What it left standing is no resolution.
  expect(set(2)?.files.map(({ path, asks }) => [path, asks])).toEqual([
    ["a.txt", "CONFLICT_MARKS"],
    ["new.txt", undefined],
  ]);

  await decide(run, "sent_back", { approval: `${run.run}-a2` as ApprovalId, comment: "The marks still stand." });
  await run.drive(true);
  expect([set(3)?.base, set(3)?.files.map(({ path, asks, hunks }) => [path, asks, hunks.length])]).toEqual([
    tip,
    [
      ["a.txt", undefined, 1],
      ["new.txt", undefined, 1],
    ],
  ]);
  await decide(run, "approved", { approval: `${run.run}-a3` as ApprovalId });
  expect((await run.drive(true)).kind).toBe("stopped");
  await run.release();
  expect([repository.git("show", "main:a.txt"), repository.git("show", "main:new.txt")]).toEqual([
    "one\n2\nthree",
    "mine",
  ]);
  expect([repository.git("rev-parse", "main^"), repository.git("status", "--porcelain")]).toEqual([tip, ""]);
  expect(await leavings(story, run)).toEqual([]);
}, 60_000);

test("a lead that works alone resolves its own, also in a process that takes the run over; the work is kept from before", async () => {
  const story = await openStory([
    { match: /^Begin/, turns: [edit(change("two", "zwei")), say("Done."), say("It fits.")] },
  ]);
  const { repository } = story;
  const options = { approve: "each", workflow: "off", landOn: { kind: "branch", name: "main" } } as const;
  const first = await story.begin("Begin", { options, budget: { steps: 100 } });
  await first.drive(true);
  repository.write({ "b.txt": "theirs\n" });
  const tip = repository.commitAll("Theirs");
  await sendBack(first, `${first.run}-a1`, "Take theirs along.");
  await first.release();
  const run = await story.takeOver(first.run);
  await run.drive(true);
  const { work } = run.state().lead;
  expect([work?.root, existsSync(join(work?.path ?? "", "b.txt"))]).toEqual([tip, true]);
  expect(repository.git("show", `refs/coppice/${run.run}/lead/sent-back/1:a.txt`)).toContain("zwei");
  const [, second] = run.state().changeSets;
  expect([second?.base, second?.files.map(({ path }) => path)]).toEqual([tip, ["a.txt"]]);
  await run.release();
}, 60_000);

test.runIf(isThorough)(
  "what is not committed comes along with the target, and still lands nowhere",
  async () => {
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Yours.")],
        },
        { match: /^EXEC/, turns: [edit(change("two", "zwei")), submit("done"), submit("as it stands")] },
      ],
      { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" },
    );
    const { repository } = story;
    repository.write({ "b.txt": "not committed\n" });
    const run = await story.begin("Begin", {
      options: { approve: "each", landOn: { kind: "branch", name: "main" } },
      budget: { steps: 100 },
      includesDirty: true,
    });
    await run.drive(true);
    repository.write({ "theirs.txt": "theirs\n" });
    repository.git("add", "theirs.txt");
    repository.git("commit", "--quiet", "-m", "Theirs");
    const tip = repository.git("rev-parse", "HEAD");
    await sendBack(run, `${run.run}-a1`, "Take theirs along.");
    await run.drive(true);
    const place = placeOf(run, "subagent-1") ?? "";
    expect(["b.txt", "theirs.txt"].map((name) => readFileSync(join(place, name), "utf8"))).toEqual([
      "not committed\n",
      "theirs\n",
    ]);
    const [, second] = run.state().changeSets;
    expect([second?.files.map(({ path }) => path), repository.git("rev-parse", `${second?.base}^`)]).toEqual([
      ["a.txt"],
      tip,
    ]);
    await decide(run, "approved", { approval: `${run.run}-a2` as ApprovalId });
    await run.drive(true);
    await run.release();
    expect(["a.txt", "b.txt"].map((name) => repository.git("show", `main:${name}`))).toEqual(["one\nzwei\nthree", "b"]);
    expect(repository.git("status", "--porcelain")).toBe(" M b.txt");
  },
  60_000,
);
