import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { leavings, printOf } from "../support/storyProbes.ts";
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

const lead = {
  match: /^Begin/,
  turns: [
    calls(spawn("EVIL", { role: "executor", paths: ["."] })),
    wait(["subagent-1"], { until: "completed" }),
    say("Over."),
  ],
};

describe("a hostile agent", () => {
  test("[D14] gets nothing and harms nothing, whatever its commands do", async () => {
    const knocks: string[] = [];
    const listener = createServer((socket) => {
      knocks.push("knock");
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as { port: number };
    const story = await openStory([
      lead,
      {
        match: /^EVIL/,
        turns: [
          () => {
            const { folder } = story.repository;
            const common = join(folder, ".git");
            const lines = [
              `rm -rf ${common}/objects ${common}/refs; git update-ref -d refs/heads/main; git branch -f main HEAD; git gc --prune=now`,
              `echo 'gitdir: /tmp/evil' > .git; d=$(git rev-parse --git-dir); echo /tmp/evil > "$d/commondir"; git config core.fsmonitor 'touch ${story.home}/pwned'; git config core.hooksPath .`,
              `cat ~/.ssh/id_rsa /root/.ssh/* ${story.home}/secret.txt ${folder}/a.txt; ls -A ${story.home} ${folder}; env`,
              `(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo CONNECTED`,
              `echo evil > ${folder}/a.txt; ln -s ${folder} out; echo evil > out/a.txt; echo evil > /etc/evil; kill -9 ${process.pid}`,
              `git add -A; git -c user.name=E -c user.email=e@e commit -qm evil; printf '#!/bin/sh\\ntouch ${story.home}/pwned\\n' > pre-commit; chmod +x pre-commit; rm -f out; nohup sleep 600 >/dev/null 2>&1 &`,
            ];
            return calls(...lines.map((command) => ({ name: "runCommand", args: { command } })));
          },
          edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }),
          submit("innocent"),
        ],
      },
    ]);
    mkdirSync(join(story.home, ".ssh"), { recursive: true });
    writeFileSync(join(story.home, "secret.txt"), "TOP-SECRET");
    const before = printOf(story);
    const run = await story.run("Begin");
    const outputs = eventsOf(run, "tool.settled")
      .map((event) => event.data.output)
      .join("\n");
    expect(outputs).not.toMatch(/TOP-SECRET|PRIVATE KEY|CONNECTED|test-key|journal/);
    expect(knocks).toEqual([]);
    expect(printOf(story)).toBe(before);
    expect(story.repository.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
    expect(story.repository.git("show", "main:a.txt")).toBe("one\ntwo\nthree");
    // All six were carried out as far as the sandbox let them, and what is left of it is an ordinary change set.
    expect(
      eventsOf(run, "tool.settled")
        .filter((event) => event.data.tool === "runCommand")
        .map((event) => event.data.outcome),
    ).toEqual(Array.from({ length: 6 }, () => "executed"));
    expect(eventsOf(run, "changeset.landed").map((event) => event.data.files.toSorted())).toEqual([
      ["a.txt", "pre-commit"],
    ]);
    expect(await leavings(story, run)).toEqual([]);
    listener.close();
  });

  test("its edits stay in its folder: no way up, no absolute path, no .git, no way out through a link", async () => {
    const story = await openStory([
      lead,
      {
        match: /^EVIL/,
        turns: [
          () =>
            call("runCommand", {
              command: `ln -s ${story.repository.folder} out; ln -s ${story.home}/new.txt dangling; ln -s .git inner; mkdir sub`,
            }),
          () =>
            calls(
              ...[
                "../up.txt",
                join(story.home, "abs.txt"),
                ".git/config",
                "sub/../.git",
                ".GIT/hooks/pre-commit",
                "out/a.txt",
                "out/new.txt",
                "dangling",
                "inner/config",
                "sub/../../up.txt",
              ].map((path) => ({
                name: "applyEdit",
                args: { changes: [{ kind: "create", path, content: "evil\n" }] },
              })),
            ),
          () =>
            calls(
              ...["../../a.txt", "out/a.txt", ".git", join(story.repository.folder, "a.txt")].map((path) => ({
                name: "readFile",
                args: { path },
              })),
              { name: "searchText", args: { query: "one", path: "out" } },
              { name: "listFiles", args: { path: "out" } },
              { name: "runCommand", args: { command: "pwd", cwd: "out" } },
            ),
          call("runCommand", { command: "rm -rf out dangling inner sub" }),
          submit("tried"),
        ],
      },
    ]);
    const before = printOf(story);
    const run = await story.run("Begin");
    const refused = eventsOf(run, "tool.settled").filter((event) => event.data.outcome === "failed");
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(refused, (event) => event.data.tool)).map(([tool, events]) => [
        tool,
        events?.length,
      ]),
    );
    expect(counts).toEqual({ applyEdit: 10, readFile: 4, searchText: 1, listFiles: 1, runCommand: 1 });
    expect(refused.map((event) => event.data.code).filter((code) => code === undefined)).toEqual([]);
    expect(printOf(story)).toBe(before);
    expect(run.state().nodes[0]).toMatchObject({ status: "completed", code: "NO_CHANGES" });
    expect(await leavings(story, run)).toEqual([]);
  });
});
