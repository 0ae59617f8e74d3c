// Who decides what works side by side, as a person chooses it for a run.

/** Sets of conditions by name. */
export const rulePresets = ["default", "superpowers", "parallel-unless-blocked"] as const;
export type RulePreset = (typeof rulePresets)[number];

/** `llm`: the lead, as it sees fit within the limits. `rules`: beside a running subagent another starts only once the preset's conditions are met. `template`: the graph is fixed before the start. */
export type Policy =
  | { readonly kind: "llm" }
  | { readonly kind: "rules"; readonly preset: RulePreset }
  | { readonly kind: "template"; readonly name: string };

/** How a template is named, and its file in `.coppice/templates`. */
export const templateName = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** As on the command line and in the journal: `llm`, `rules:default`, `template:review-panel`. */
export function policyName(policy: Policy): string {
  switch (policy.kind) {
    case "llm":
      return policy.kind;
    case "rules":
      return `${policy.kind}:${policy.preset}`;
    case "template":
      return `${policy.kind}:${policy.name}`;
  }
}

/** Reads what `--policy` takes: `llm`, `rules` (its default preset), `rules:PRESET` or `template:NAME`. `null` for anything else; whether a template exists is not known here. */
export function parsePolicy(text: string): Policy | null {
  if (text === "llm") return { kind: "llm" };
  const at = text.indexOf(":");
  const [kind, name] = at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  if (kind === "template") return name !== null && templateName.test(name) ? { kind, name } : null;
  const preset = rulePresets.find((one) => one === (name ?? "default"));
  return kind !== "rules" || preset === undefined ? null : { kind, preset };
}
