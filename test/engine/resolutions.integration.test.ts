import { afterEach, expect, test } from "vitest";

import type { ApprovalId } from "../../src/shared/contract/ids.ts";
import type { ConflictPick } from "../../src/shared/contract/resolutions.ts";
import { decide, leavings } from "../support/storyProbes.ts";
import { calls, edit, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

test("what a person chose in a conflict is verified and lands, and between other lines it asks anew", async () => {
  const change = (oldText: string, newText: string) => ({ kind: "replace", path: "a.txt", oldText, newText }) as const;
  const story = await openStory([
    {
      match: /^Begin/,
      turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Yours.")],
    },
    { match: /^EXEC/, turns: [edit(change("two", "zwei"), change("three", "drei")), submit("done")] },
  ]);
  const { repository } = story;
  const run = await story.begin("Begin", {
    options: { approve: "each", landOn: { kind: "branch", name: "main" }, verify: ["! grep -q own a.txt"] },
  });
  await run.drive(true);
  repository.write({ "a.txt": "one\ndeux\nthree\n" });
  repository.commitAll("Theirs");
  const blobs = () => {
    const proposed = run.state().changeSets[0]?.commit ?? "";
    return {
      target: repository.git("rev-parse", "main:a.txt"),
      proposed: repository.git("rev-parse", `${proposed}:a.txt`),
    };
  };
  const approval = `${run.run}-a1` as ApprovalId;
  const choose = async (...picks: readonly ConflictPick[]) => {
    await decide(run, "approved", { approval, resolutions: [{ path: "a.txt", ...blobs(), picks }] });
    const { kind } = await run.drive(true);
    return [kind, run.state().changeSets[0]?.held?.code];
  };
  // The checks speak of what would land, not of what was proposed.
  expect(await choose({ text: "own\n" })).toEqual(["waiting", "VERIFICATION_FAILED"]);

  const { target } = blobs();
  repository.write({ "a.txt": "one\ndeux et demi\nthree\n" });
  repository.commitAll("Again");
  await decide(run, "approved", {
    approval,
    hunks: "all",
    resolutions: [{ path: "a.txt", ...blobs(), target, picks: ["both"] }],
  });
  expect([(await run.drive(true)).kind, run.state().changeSets[0]?.held?.code]).toEqual([
    "waiting",
    "RESOLUTION_OUTDATED",
  ]);
  // Asked again without a word of them, what no longer fits is not chosen any more.
  await decide(run, "approved", { approval });
  expect([(await run.drive(true)).kind, run.state().changeSets[0]?.held?.code]).toEqual(["waiting", "CONFLICT"]);

  expect(await choose({ text: "deux, zwei\ndrei\n" })).toEqual(["stopped", undefined]);
  await run.release();
  expect(repository.git("show", "main:a.txt")).toBe("one\ndeux, zwei\ndrei");
  const tree = repository.git("rev-parse", "main^{tree}");
  expect(eventsOf(run, "verification.ran").map(({ data }) => [data.exitCode, data.tree === tree])).toContainEqual([
    0,
    true,
  ]);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(await leavings(story, run)).toEqual([]);
});
