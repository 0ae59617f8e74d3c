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

const reviewPanel: Template = {
  name: "review-panel",
  about: "Three reviewers with a lens each, side by side; a fourth keeps only the findings that it can confirm.",
  nodes: [
    ...lenses.map(({ id, task }) => ({
      id,
      role: "reviewer",
      task: `${task} Name a concrete failure for each finding.\n\n{task}`,
    })),
    {
      id: "confirm",
      role: "reviewer",
      task: "Three reviewers have looked at this; their findings are in your packet. Try to confirm each of them in the code, and drop those that you cannot:\n\n{task}",
      dependsOn: lenses.map(({ id }) => id),
    },
  ],
};

export const builtInTemplates: readonly Template[] = [sequence, fanOut, planExecute, reviewPanel];
