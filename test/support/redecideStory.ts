// The rules that stories are told by, for deciding their journals once more.

import type { ControlCall } from "../../src/main/domain/commands.ts";
import type { Rules } from "../../src/main/domain/redecide/redecide.ts";
import { roles } from "./runStory.ts";

const tools: ReadonlySet<string> = new Set<ControlCall["tool"]>([
  "spawnSubagent",
  "waitForSubagents",
  "cancelSubagent",
  "peekSubagents",
  "messageSubagent",
  "updatePlan",
  "messagePeer",
  "note",
  "askPerson",
]);

export const storyRules: Rules = {
  roles,
  hash: (text) => `${text.length}`,
  parse: ({ tool, arguments: text }) =>
    tools.has(tool) ? ({ tool, input: JSON.parse(text) as never } as ControlCall) : null,
};
