// What the presets of rules are called, and what each means, in one line. Lies beside the features because the form of a new
// run offers them and the settings explain them.

import type { Policy, RulePreset } from "../../shared/contract/policy.ts";
import type { TemplateChoice } from "../../shared/contract/template.ts";
import { countOf } from "../ui/formats.ts";

export const presetWords: Readonly<Record<RulePreset, { readonly label: string; readonly meaning: string }>> = {
  default: {
    label: "Rules: independent work",
    meaning:
      "A subagent starts beside another only once the lead has stated, with evidence, that they share neither context nor state.",
  },
  superpowers: {
    label: "Rules: Superpowers’ four",
    meaning: "As independent work, and each has a cause and a subsystem of its own.",
  },
  "parallel-unless-blocked": {
    label: "Rules: unless blocked",
    meaning: "Side by side is the rule; what must wait names what blocks it.",
  },
};

/** What a run is told to hold to, as its form says it. */
export function policyWords(policy: Policy): string {
  if (policy.kind === "rules") return presetWords[policy.preset].label;
  return policy.kind === "template" ? `Template: ${policy.name}` : "As the lead sees fit";
}

/** What a template comes to, or why it cannot be run. `money`: what it can cost, where that is known, to be joined on. */
export function sayFigures({ figures, problem }: Pick<TemplateChoice, "figures" | "problem">, money = ""): string {
  if (figures === null) return problem ?? "";
  const steps = figures.budget.steps === null ? "" : `, up to ${figures.budget.steps} steps`;
  return `${countOf(figures.count, "subagent")}, at most ${figures.width} at once${steps}${money}.`;
}
