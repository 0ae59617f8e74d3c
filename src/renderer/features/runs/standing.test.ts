import { expect, test } from "vitest";

import type { ApprovalId } from "../../../shared/contract/ids.ts";
import { describeSnapshot } from "./standing.ts";

const approval = { id: "r-a1" as ApprovalId, kind: "command", agent: "lead", summary: "npm test", since: 0 } as const;

test("a run needs the person while something is asked of them, until it has stopped", () => {
  const words = (["running", "paused", "stopped"] as const).map((status) =>
    [[], [approval]].map((approvals) => describeSnapshot({ status, stopReason: "cancelled", approvals }).word),
  );
  expect(words).toEqual([
    ["Working", "Needs you"],
    ["Paused", "Needs you"],
    ["Stopped", "Stopped"],
  ]);
});
