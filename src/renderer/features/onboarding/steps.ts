// The first steps, in their order. Each can be skipped, and gone back to.

export const steps = [
  { name: "see", label: "See a run", title: "See a whole run before you spend anything" },
  { name: "model", label: "Choose a model", title: "Choose a model" },
  { name: "ask", label: "How much to ask", title: "How much to ask" },
  { name: "task", label: "First task", title: "A first task" },
] as const;

export type StepName = (typeof steps)[number]["name"];

/** The step after this one; `null` after the last. */
export function stepAfter(name: StepName): StepName | null {
  const at = steps.findIndex((step) => step.name === name);
  return steps[at + 1]?.name ?? null;
}
