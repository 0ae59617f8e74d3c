// A run with two landings in two files, the second begun once the first has landed.

import type { ScriptedEntry } from "./scriptedModel.ts";
import { calls, edit, executor, say, submit, wait } from "./workbenchStory.ts";

export const twoFiles = { "a.txt": "one\ntwo\nthree\n", "b.txt": "un\ndeux\ntrois\n" };

export const twoLandings: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(executor("ONE", "a.txt")),
      wait(["subagent-1"], { until: "completed" }),
      calls(executor("TWO", "b.txt")),
      wait(["subagent-2"], { until: "completed" }),
      say("Both."),
    ],
  },
  { match: /^ONE/, turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("one")] },
  { match: /^TWO/, turns: [edit({ kind: "replace", path: "b.txt", oldText: "deux", newText: "zwei" }), submit("two")] },
];
