// The templates that come with the product.

import type { Template } from "../../../shared/contract/template.ts";

const sequence: Template = {
  name: "sequence",
  about: "One after the other: find out, change, look at the change.",
  nodes: [
    {
      id: "explore",
      role: "explorer",
      task: "Find out what has to be known to do this, and where in the code it would be done:\n\n{task}",
    },
    {
      id: "change",
      role: "executor",
      task: "Do this. What was found out before is in your packet:\n\n{task}",
      dependsOn: ["explore"],
      paths: ["."],
    },
    {
      id: "review",
      role: "reviewer",
      task: "Review the proposed change. It was made for this task:\n\n{task}",
      dependsOn: [{ id: "change", until: "proposed" }],
      criteria: ["The change does what the task asks.", "The change breaks nothing else."],
    },
  ],
};

const explorers = [
  { id: "code", task: "Answer this from the code that is involved: what calls what, with which data." },
  { id: "tests", task: "Answer this from the tests and what they leave out: what is promised, what is not checked." },
  {
    id: "edges",
    task: "Answer this from configuration, documentation and the edges of the system: inputs, errors, limits.",
  },
] as const;

const fanOut: Template = {
  name: "fan-out",
  about: "Three explorers look at different sides at the same time; the lead puts their answers together.",
  nodes: explorers.map(({ id, task }) => ({ id, role: "explorer", task: `${task}\n\n{task}` })),
};

const planExecute: Template = {
  name: "plan-execute",
  about: "A planner writes the steps, an executor takes them, a verifier checks the outcome by running it.",
  nodes: [
    { id: "plan", role: "planner", task: "Plan the smallest ordered steps for this:\n\n{task}" },
    {
      id: "execute",
      role: "executor",
      task: "Carry out the plan in your packet, step by step. It is for this task:\n\n{task}",
      dependsOn: ["plan"],
      paths: ["."],
    },
    {
      id: "verify",
      role: "verifier",
      task: "Check the proposed change by running what shows whether it works. It was made for this task:\n\n{task}",
      dependsOn: [{ id: "execute", until: "proposed" }],
      criteria: ["The change does what the task asks.", "The checks of the repository pass."],
    },
  ],
};

const lenses = [
  { id: "correctness", task: "Look for what is wrong: cases that fail, states that cannot be, errors that are lost." },
  { id: "security", task: "Look for what somebody hostile could use: inputs, paths, secrets, rights." },
  { id: "upkeep", task: "Look for what the next change will trip over: unclear names, hidden rules, missing tests." },
] as const;

const findings = {
  type: "object",
  required: ["findings"],
  properties: {
    findings: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "severity", "source", "failure"],
        properties: {
          id: { type: "string", description: "Yours, such as F1." },
          severity: { enum: ["blocker", "major", "minor"] },
          source: { type: "string", description: "path:line" },
          failure: { type: "string", description: "A concrete way in which it fails." },
        },
      },
    },
  },
} as const;

const confirmations = {
  type: "object",
  required: ["confirmed", "dropped"],
  properties: {
    confirmed: { type: "array", items: judged("evidence", "What you saw that confirms it, as path:line.") },
    dropped: { type: "array", items: judged("why", "Why it could not be confirmed.") },
  },
} as const;

/** A finding as the one who confirms it names it, with a word on it. */
function judged(word: string, description: string) {
  return {
    type: "object",
    required: ["from", "id", word],
    properties: {
      from: { type: "string", description: "The subagent that found it." },
      id: { type: "string", description: "The finding's id." },
      [word]: { type: "string", description },
    },
  } as const;
}

const reviewPanel: Template = {
  name: "review-panel",
  about: "Three reviewers with a lens each, side by side; a fourth confirms what they found, and the rest is dropped.",
  nodes: [
    ...lenses.map(({ id, task }) => ({
      id,
      role: "reviewer",
      task: `${task} Name a concrete failure for each finding, and hand the findings over as \`data\`.\n\n{task}`,
      outputSchema: findings,
    })),
    {
      id: "confirm",
      role: "reviewer",
      task: "Three reviewers have looked at this; their findings are in your packet. Try to confirm each of them in the code, and say in `data` which you could and which you could not. What you do not confirm is dropped:\n\n{task}",
      dependsOn: lenses.map(({ id }) => id),
      outputSchema: confirmations,
      confirms: lenses.map(({ id }) => id),
    },
  ],
};

const implementReview: Template = {
  name: "implement-review",
  about:
    "An executor changes, one reviewer passes it or sends it back, at most five times, from the fourth to a fresh agent; then the whole branch is reviewed.",
  nodes: [
    { id: "implement", role: "executor", task: "Implement: {task}", paths: ["."] },
    {
      id: "review",
      role: "reviewer",
      task: "Review the proposed change; do not trust what its author says of it. Give a verdict on each criterion: failed with what must change, unknown where you cannot tell. It was made for this task:\n\n{task}",
      dependsOn: [{ id: "implement", until: "proposed" }],
      criteria: [
        "spec: The change does what the task asks, all of it and nothing beside it.",
        "quality: The change is sound, tested, and in the style of the code around it.",
      ],
      gate: { rounds: 5, freshFrom: 4 },
    },
    {
      id: "final",
      role: "reviewer",
      task: "The change has landed. Review the branch as a whole: your folder holds it, and readChangeSet shows what was changed for this task:\n\n{task}",
      dependsOn: [{ id: "implement", until: "completed" }, "review"],
      criteria: ["whole: The branch does what the task asks, and what was there before still works."],
    },
  ],
};

export const builtInTemplates: readonly Template[] = [sequence, fanOut, planExecute, reviewPanel, implementReview];
