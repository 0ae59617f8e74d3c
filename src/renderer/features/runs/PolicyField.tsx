// Who decides what works side by side: the lead, a set of rules, or a template whose graph is known before the start.

import { parsePolicy, policyName, rulePresets } from "../../../shared/contract/policy.ts";
import type { TemplateChoice } from "../../../shared/contract/template.ts";
import { presetWords, sayFigures } from "../policies.ts";
import { Field } from "./Field.tsx";
import { type ModelPrices, worstMoney } from "./worstMoney.ts";

export interface PolicyFieldProps {
  /** As on the command line. */
  readonly policy: string;
  readonly prices: ModelPrices;
  readonly templates: readonly TemplateChoice[];
  readonly onChoose: (policy: string) => void;
}

export function PolicyField({ policy, prices, templates, onChoose }: PolicyFieldProps) {
  const isOffered = templates.some(({ name }) => policy === `template:${name}`);
  return (
    <Field label="Side by side" note={meaningOf(policy, templates, prices)}>
      {(id) => (
        <select id={id} value={policy} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="llm">As the lead sees fit</option>
          {rulePresets.map((preset) => (
            <option key={preset} value={policyName({ kind: "rules", preset })}>
              {presetWords[preset].label}
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
function meaningOf(text: string, templates: readonly TemplateChoice[], prices: ModelPrices): string {
  const policy = parsePolicy(text);
  if (policy?.kind === "rules") return presetWords[policy.preset].meaning;
  if (policy?.kind !== "template") return "The lead sends subagents as it goes, within the limits.";
  const template = templates.find(({ name }) => name === policy.name);
  if (template === undefined) return "This repository has no template of that name.";
  const { figures, about } = template;
  return figures === null ? sayFigures(template) : `${about} ${sayFigures(template, worstMoney(figures, prices))}`;
}
