import { expect, test } from "vitest";

import type { ApprovalId } from "../../../shared/contract/ids.ts";
import { describeSnapshot } from "./standing.ts";

const ask = (kind: string) =>
  ({ id: "r-a1" as ApprovalId, kind, agent: "lead", summary: "npm test", since: 0 }) as const;

test("a run needs the person while something is asked of them, is ready to review when that is all, and says that a crash has paused it", () => {
  const words = (["running", "paused", "stopped"] as const).map((status) =>
    [[], [ask("command")], [ask("changeset")], [ask("changeset"), ask("question")]].map(
      (approvals) => describeSnapshot({ status, stopReason: "cancelled", approvals }).word,
    ),
  );
  const lead = { activity: "", steps: 0, model: "m", waitingFor: { code: "RECOVERED", sentence: "After a crash." } };
  expect(describeSnapshot({ status: "paused", stopReason: null, approvals: [], lead }).word).toBe("Recovered, paused");
  const asked = ["Needs you", "Ready to review", "Needs you"];
  expect(words).toEqual([
    ["Working", ...asked],
    ["Paused", ...asked],
    ["Stopped", ...asked],
  ]);
});
