// What models may send to the control tools, and how a mistake is worded.

import { expect, test } from "vitest";
import { parseControl } from "./control.ts";

test("a spawn names its agent by what `coppice agents` lists as driven, and another is refused by field", () => {
  const spawn = (agent: string) => parseControl("spawnSubagent", JSON.stringify({ task: "Look.", agent }));
  expect(spawn("coppice")).toEqual({
    ok: true,
    value: { tool: "spawnSubagent", input: { task: "Look.", agent: "coppice" } },
  });
  expect(spawn("codex")).toMatchObject({
    ok: false,
    error: { code: "BAD_ARGUMENTS", message: expect.stringMatching(/ agent: .*"coppice"/) },
  });
});
