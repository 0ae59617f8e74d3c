// Who decides what works side by side: the lead, a set of rules, or a template whose graph is known before the start.

import { parsePolicy, policyName, type RulePreset, rulePresets } from "../../../shared/contract/policy.ts";
import type { TemplateChoice } from "../../../shared/contract/template.ts";
import { Field } from "./Field.tsx";

export interface PolicyFieldProps {
  /** As on the command line. */
  readonly policy: string;
  readonly templates: readonly TemplateChoice[];
  readonly onChoose: (policy: string) => void;
}

const presets: Readonly<Record<RulePreset, readonly [label: string, meaning: string]>> = {
  default: [
    "Rules: independent work",
    "A subagent starts beside another only once the lead has stated, with evidence, that they share neither context nor state.",
  ],
  superpowers: ["Rules: Superpowers’ four", "As independent work, and each has a cause and a subsystem of its own."],
  "parallel-unless-blocked": [
    "Rules: unless blocked",
    "Side by side is the rule; what must wait names what blocks it.",
  ],
};

export function PolicyField({ policy, templates, onChoose }: PolicyFieldProps) {
  const isOffered = templates.some(({ name }) => policy === `template:${name}`);
  return (
    <Field label="Side by side" note={meaningOf(policy, templates)}>
      {(id) => (
        <select id={id} value={policy} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="llm">As the lead sees fit</option>
          {rulePresets.map((preset) => (
            <option key={preset} value={policyName({ kind: "rules", preset })}>
              {presets[preset][0]}
            </option>
          ))}
          {templates.map(({ name, problem }) => (
            <option key={name} value={policyName({ kind: "template", name })} disabled={problem !== null}>
              Template: {name}
            </option>
          ))}
          {policy.startsWith("template:") && !isOffered && (
            <option value={policy}>Template: {policy.slice("template:".length)}</option>
          )}
        </select>
      )}
    </Field>
  );
}

/** One line on what the choice does; of a template also what it comes to, before anything starts. */
function meaningOf(text: string, templates: readonly TemplateChoice[]): string {
  const policy = parsePolicy(text);
  if (policy?.kind === "rules") return presets[policy.preset][1];
  if (policy?.kind !== "template") return "The lead sends subagents as it goes, within the limits.";
  const template = templates.find(({ name }) => name === policy.name);
  if (template === undefined) return "This repository has no template of that name.";
  const { about, figures, problem } = template;
  if (figures === null) return problem ?? about;
  const steps = figures.budget.steps === null ? "" : `, up to ${figures.budget.steps} steps`;
  return `${about} ${figures.count} subagents, at most ${figures.width} at once${steps}.`;
}
