// Who decides what works side by side, as a person chooses it for a run.

/** Sets of conditions by name. */
export const rulePresets = ["default", "superpowers", "parallel-unless-blocked"] as const;
export type RulePreset = (typeof rulePresets)[number];

/** `llm`: the lead, as it sees fit within the limits. `rules`: beside a running subagent another starts only once the preset's conditions are met. */
export type Policy = { readonly kind: "llm" } | { readonly kind: "rules"; readonly preset: RulePreset };

/** As on the command line and in the journal: `llm`, `rules:default`. */
export function policyName(policy: Policy): string {
  return policy.kind === "llm" ? policy.kind : `${policy.kind}:${policy.preset}`;
}

/** Reads what `--policy` takes: `llm`, `rules` (its default preset) or `rules:PRESET`. `null` for anything else. */
export function parsePolicy(text: string): Policy | null {
  if (text === "llm") return { kind: "llm" };
  const [kind, ...rest] = text.split(":");
  if (kind !== "rules") return null;
  const preset = rulePresets.find((one) => one === (rest.length === 0 ? "default" : rest.join(":")));
  return preset === undefined ? null : { kind, preset };
}
