import { expect, test } from "vitest";

import { defaultLimits } from "../../../shared/contract/options.ts";
import type { AssignmentPage } from "../../../shared/contract/runPages.ts";
import { draftOf } from "./again.ts";
import { orderOf } from "./order.ts";

test("a run that is started again is assigned as it was, in every choice", () => {
  const assignment: AssignmentPage = {
    folder: "/repo",
    task: "Pay once.",
    model: "m",
    roleModels: { explorer: "small" },
    baseUrl: "http://127.0.0.1:1/v1",
    approve: "final",
    commands: "deny",
    network: "on",
    landOn: { kind: "branch", name: "main" },
    worktrees: "off",
    verify: ["npm test", "npm run lint"],
    setup: ["npm ci"],
    setupNetwork: "on",
    policy: { kind: "rules", preset: "superpowers" },
    topology: "groups",
    mayMessage: [{ from: "work", to: "home" }],
    approvePlan: true,
    leadEdits: true,
    limits: { ...defaultLimits, maxConcurrent: 2 },
    budget: { steps: 40, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null },
    wallMs: null,
  };
  expect(orderOf(draftOf(assignment))).toEqual({ type: "startRun", ...assignment });
  const { leadEdits: _leadEdits, ...others } = assignment;
  expect(orderOf(draftOf({ ...others, delegation: "direct" }))).toMatchObject({ delegation: "direct" });
});
