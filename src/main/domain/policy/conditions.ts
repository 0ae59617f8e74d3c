// The conditions that a preset of `--policy rules` asks for, as the lead is told them and the machine judges them.

import type { RulePreset } from "../../../shared/contract/policy.ts";

/** Something about a subagent and what runs beside it, that can be met or not. */
export interface Condition {
  /** As the lead names it in `independence`. */
  readonly name: string;
  /** What it means, for the lead and for the person who watches. */
  readonly text: string;
}

/** A subagent may run beside others once each of `needs` is met and none of `vetoes` is. */
export interface RuleSet {
  readonly needs: readonly Condition[];
  readonly vetoes: readonly Condition[];
}

/** The conditions about what subagents share; of these the machine can tell something by itself. */
export const noSharedState = "no-shared-state";
export const sharedResources = "shared-resources";

const base: RuleSet = {
  needs: [
    { name: "independent-context", text: "it can be understood without what the others are finding out" },
    { name: noSharedState, text: "it shares no files, processes or other state with the others" },
  ],
  vetoes: [
    { name: "related-failures", text: "the failures it looks into may have one cause with the others'" },
    { name: "needs-whole-state", text: "it needs the state of the whole system in view" },
    { name: "exploratory", text: "it is not known yet what is broken or wanted" },
    { name: sharedResources, text: "it edits the same files or uses the same resources as another" },
  ],
};

export const ruleSets: Readonly<Record<RulePreset, RuleSet>> = {
  default: base,
  // Its four "use when" beside the same "don't use when".
  superpowers: {
    needs: [
      { name: "different-root-causes", text: "its problem has a root cause of its own" },
      { name: "separate-subsystems", text: "its problem lies in a subsystem of its own" },
      ...base.needs,
    ],
    vetoes: base.vetoes,
  },
  // Side by side is the rule; what must wait says what for with `dependsOn`.
  "parallel-unless-blocked": { needs: [], vetoes: base.vetoes.filter(({ name }) => name === sharedResources) },
};
