// The rules that stories are told by, for deciding their journals once more.

import { isControlTool } from "../../src/main/agents/tools/control.ts";
import type { Rules } from "../../src/main/domain/redecide/redecide.ts";
import { roles } from "./runStory.ts";

export const storyRules: Rules = {
  roles,
  hash: (text) => `${text.length}`,
  parse: ({ tool, arguments: text }) => (isControlTool(tool) ? { tool, input: JSON.parse(text) as never } : null),
};
