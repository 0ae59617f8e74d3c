// Which ways of working cannot hold in one run, and that the options at fault are named.

import { expect, test } from "vitest";

import { problemOfTeam } from "./topology.ts";

type Team = Parameters<typeof problemOfTeam>[0];
const fanOut = { kind: "template", name: "fan-out" } as const;

test.each<[Team, string]>([
  [{}, "none"],
  [{ topology: "coordinator", policy: fanOut, approvePlan: true }, "none"],
  [{ topology: "dispatch", delegation: "direct" }, "none"],
  [{ delegation: "off" }, "none"],
  [{ workflow: "off", delegation: "off" }, "none"],
  [
    { workflow: "off", delegation: "prefer" },
    "--no-workflow is one agent alone, so it does not go with --delegation prefer",
  ],
  [
    { delegation: "off", policy: { kind: "rules", preset: "default" } },
    "--delegation off is one agent alone, so --policy rules:default",
  ],
  [{ workflow: "off", topology: "groups" }, "--no-workflow is one agent alone, so --topology groups"],
  [{ delegation: "off", approvePlan: true }, "--delegation off is one agent alone, so --approve-plan"],
  [{ topology: "coordinator", leadEdits: true }, "--topology coordinator does not go with --lead-edits"],
  [{ topology: "coordinator", delegation: "direct" }, "--topology coordinator does not go with --delegation direct"],
  [
    { topology: "groups", policy: fanOut },
    "The template fan-out fixes who works on what, so it does not go with --topology groups",
  ],
  [{ topology: "groups", mayMessage: [{ from: "work", to: "home" }] }, "none"],
  [{ mayMessage: [] }, "--may-message says which group may write to which, so it goes with --topology groups alone"],
  [{ workflow: "off", mayMessage: [] }, "--no-workflow is one agent alone, so --may-message"],
])("%j: %s", (team, problem) => {
  expect(problemOfTeam(team) ?? "none").toContain(problem);
});
