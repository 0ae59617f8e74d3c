// Set-up of worktrees: before the first turn, in each of them, and once more where it was cut. With real git and sandbox.

import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

import { committed, decide, endsOf, leavings } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  executor,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const files = { ".gitignore": "deps/\nsecret\n", "three.txt": "three\n" };

/** Networks that a text names, in their order; none where the system does not name them. */
const networksIn = (text: string): readonly string[] => text.match(/net:\[\d+\]/g) ?? [];

test("[A25] a worktree is set up before its agent's first turn and before its checks, with the network where it alone is given that, but for what an agent wrote; a set-up that fails is a failed check, and fails whoever would have worked there", async () => {
  const story = await openStory(
    [
      {
        match: /^Begin/,
        turns: [
          calls(spawn("FIRST", { role: "executor", paths: ["broken", ".worktreeinclude"], maxSteps: 4 })),
          wait(["subagent-1"], { until: "completed" }),
          calls(executor("SECOND", "b.txt")),
          wait(["subagent-2"]),
          say("Done."),
        ],
      },
      {
        match: /^FIRST/,
        turns: [
          call("runCommand", { command: "cat deps/mark; readlink /proc/self/ns/net" }),
          edit(
            { kind: "create", path: "broken", content: "x\n" },
            { kind: "create", path: ".worktreeinclude", content: "secret\n" },
          ),
          submit("made"),
        ],
      },
    ],
    files,
  );
  const setup = [
    "mkdir -p deps && { echo installed; readlink /proc/self/ns/net; } >> deps/mark",
    "test ! -f broken || { test ! -f secret || echo seen; cat deps/mark; echo 'no such package' >&2; exit 3; }",
  ];
  story.repository.write({ secret: "mine\n" });
  const run = await story.begin("Begin", {
    options: { approve: "each", setup, setupNetwork: "on", verify: ["test -f deps/mark"] },
  });
  expect(await run.drive(true)).toEqual({ kind: "waiting" });
  const provisioned = (agent: string) =>
    eventsOf(run, "worktree.provisioned")
      .filter((event) => event.agent === agent && event.data.command !== undefined)
      .map(({ data: { command, exitCode, outcome } }) => [command, exitCode, outcome]);
  expect(provisioned("subagent-1")).toEqual(setup.map((command) => [command, 0, "exited"]));
  const first = run.journal().filter((event) => event.agent === "subagent-1");
  expect(first.findLastIndex((event) => event.type === "worktree.provisioned")).toBeLessThan(
    first.findIndex((event) => event.type === "model.requested"),
  );
  const seen = eventsOf(run, "tool.settled").find((event) => event.data.tool === "runCommand")?.data.output ?? "";
  expect(seen).toContain("installed");
  // Only Linux gives what is confined a network of its own to tell apart; elsewhere neither says one.
  const networks = networksIn(seen);
  const own = process.platform === "linux" ? [readlinkSync("/proc/self/ns/net")] : [];
  expect([networks.slice(0, 1), networks.length]).toEqual([own, 2 * own.length]);
  expect(networks[1]).not.toBe(own[0] ?? "");
  expect(
    story.server.requests.find(({ firstUserMessage }) => firstUserMessage.startsWith("FIRST"))?.firstUserMessage,
  ).toContain(`Run in your worktree before you began:\n- ${setup.join("\n- ")}\n`);
  // What the set-up made is ignored by git, and so in no change set; what it said is with the check that it became. What is
  // still to be decided names no further files of the person's.
  expect(
    run
      .state()
      .changeSets.at(-1)
      ?.files.map((file) => file.path),
  ).toEqual([".worktreeinclude", "broken"]);
  const [{ data: checked } = { data: null }, ...others] = eventsOf(run, "verification.ran");
  expect([checked?.command, checked?.exitCode, others]).toEqual([setup[1], 3, []]);
  const said = (checked?.output ?? "").replaceAll(/net:\[\d+\]\n/g, "");
  expect(said).toMatch(/^(?:installed\n)+no such package\n\nSet-up ran on this change without the network/);
  // On the person's own commit set-up had it, on what the agent wrote it has none.
  expect(said.match(/installed/g)).toHaveLength(2);
  expect(networksIn(checked?.output ?? "")).toEqual([
    ...own,
    ...own.map((one) => expect.not.stringContaining(one) as string),
  ]);

  await decide(run, "approved");
  expect(await run.drive(true)).toEqual({ kind: "stopped" });
  await run.release();
  expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "failed SETUP_FAILED" });
  expect(run.state().nodes[1]).toMatchObject({
    requestCount: 0,
    sentence:
      "The worktree could not be set up: `test ! -f broken || { test ! -f secret || echo seen; cat deps/mark; echo 'no such package' >&2; exit 3; }` ended with exit code 3, and last said: no such package.",
  });
  expect(await leavings(story, run)).toEqual([]);
});

test("a set-up that was cut goes on at the command that was cut, and its agent begins after it", async () => {
  const story = await openStory(
    [
      { match: /^Begin/, turns: [calls(executor("WORK", "a.txt")), wait(["subagent-1"]), say("Done.")] },
      { match: /^WORK/, turns: [edit({ kind: "create", path: "a.txt", content: "a\n" }), submit("made")] },
    ],
    files,
  );
  const setup = ["mkdir -p deps && echo once >> deps/one", "test -f deps/go || test -f a.txt || exec sleep 600"];
  const run = await story.begin("Begin", { options: { setup } });
  const cut = committed(run, "worktree.provisioned", (event) => event.data.command === setup[0]);
  const driven = run.drive(true);
  await cut;
  run.leave();
  expect(await driven).toEqual({ kind: "left" });
  await run.release();
  const { path } = eventsOf(run, "worktree.created")[0]?.data ?? { path: "" };
  writeFileSync(join(path, "deps/go"), "");

  const again = await story.takeOver(run.run);
  const readOnce = committed(again, "changeset.proposed").then(() => readFileSync(join(path, "deps/one"), "utf8"));
  expect(await again.drive(true)).toEqual({ kind: "stopped" });
  await again.release();
  expect(await readOnce).toBe("once\n");
  expect(
    eventsOf(again, "worktree.provisioned").flatMap(({ data }) =>
      data.command === undefined ? [] : [[data.command, data.exitCode]],
    ),
  ).toEqual(setup.map((command) => [command, 0]));
  expect(endsOf(again)).toEqual({ "subagent-1": "completed" });
  expect(await leavings(story, again)).toEqual([]);
});
