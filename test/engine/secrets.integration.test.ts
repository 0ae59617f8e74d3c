import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { call, endStories, openStory, say, spawn, submit, calls, wait, eventsOf } from "../support/workbenchStory.ts";

afterEach(endStories);

/** Put together here, so that this file holds none. */
const made = (...parts: readonly string[]) => parts.join("");
const planted = {
  task: made("ghp_", "Ab1Cd2Ef3G".repeat(3)),
  file: made("AKIA", "QWERTY1234ASDFGH"),
  spoken: made("glpat-", "xY9zW8vU7tS6rQ5pO4nM"),
  arguments: made("sk_live_", "0a1b2c3d4e5f6g7h8i9j"),
  checked: made("npm_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
  words: made("xoxb-", "1234567890-abcdefghijkl"),
};

test("no planted secret is in the journal, its rows and files, in what models are sent, in the repository's history or in a child's environment", async () => {
  const story = await openStory(
    [
      {
        match: /^Begin/,
        turns: [
          calls(spawn("EXEC", { role: "executor", paths: ["a.txt", "b.txt"] })),
          wait(["subagent-1"]),
          say(`Done, with ${planted.spoken}.`),
        ],
      },
      {
        match: /^EXEC/,
        turns: [
          call("readFile", { path: "keys.txt" }),
          call("runCommand", { command: "cat keys.txt; env" }),
          call("applyEdit", { changes: [{ kind: "create", path: "b.txt", content: planted.arguments }] }),
          call("applyEdit", { changes: [{ kind: "create", path: "b.txt", content: "plain\n" }] }),
          submit(`It says ${planted.spoken}`),
        ],
      },
    ],
    { "a.txt": "one\n", "keys.txt": `aws ${planted.file}\n` },
  );
  const run = await story.begin(`Begin with ${planted.task}`, { options: { verify: [`echo ${planted.checked}`] } });
  await run.dispatch({ type: "run.input", text: `Mind ${planted.words}`, from: "Ada", to: "lead" });
  await run.drive(true);
  await run.release();

  const sent = story.server.requests.map((request) => JSON.stringify(request.body)).join("\n");
  const stored = bytesBelow(story.home);
  const printed = JSON.stringify(run.journal());
  const outside = story.repository.git("log", "--all", "--format=%B %D %an");
  const leaks = Object.entries(planted).flatMap(([name, secret]) =>
    Object.entries({ sent, stored, printed, outside }).flatMap(([sink, text]) =>
      text.includes(secret) ? [`${name} in ${sink}`] : [],
    ),
  );
  expect(leaks).toEqual([]);
  const [, command] = eventsOf(run, "tool.settled").map((event) => event.data.output);
  expect(command).toContain("[redacted:aws]");
  expect(command).not.toContain("test-key");
  expect(eventsOf(run, "tool.refused").map((event) => event.data.code)).toEqual(["SECRET_IN_ARGUMENTS"]);
  expect(run.state().stop?.reason).toBe("final_answer");
});

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
