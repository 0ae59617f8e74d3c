// A template: the graph of a run, fixed before it starts. Data, from the built-in ones or from a file of a repository.

import type { Json } from "../lib/json.ts";
import type { Balances } from "./options.ts";

/** One piece of work of a template. */
export interface TemplateNode {
  /** Unique in the template; what `dependsOn` names. */
  readonly id: string;
  readonly role: string;
  /** What to do; `{task}` stands for the run's task. */
  readonly task: string;
  /** Ids of nodes that stand before it, or those with how far they must be. */
  readonly dependsOn?: readonly (string | { readonly id: string; readonly until: "completed" | "proposed" })[];
  /** What an executor may edit. */
  readonly paths?: readonly string[];
  readonly constraints?: readonly string[];
  readonly criteria?: readonly string[];
  /** JSON Schema of `data` in its result. */
  readonly outputSchema?: Json;
  /** It decides about the one change that it looks at: what it fails goes back to the author with what it found. */
  readonly gate?: TemplateGate;
  /** Ids of nodes before it whose `data.findings` count only where its own `data.confirmed` names them. */
  readonly confirms?: readonly string[];
}

/** How often a reviewer may send a change back. */
export interface TemplateGate {
  /** At most five. */
  readonly rounds: number;
  /** The round from which a fresh agent goes on with the change; absent: its author does to the end. */
  readonly freshFrom?: number;
}

/** The most rounds that a gate may have. */
export const maxRounds = 5;

export interface Template {
  readonly name: string;
  /** One line on how it works, for the person who chooses. */
  readonly about: string;
  /** Each after those that it depends on. */
  readonly nodes: readonly TemplateNode[];
}

/** A template as somebody choosing one sees it. */
export interface TemplateChoice {
  readonly name: string;
  readonly about: string;
  /** `null` where `problem` says why it cannot be run. */
  readonly figures: TemplateFigures | null;
  readonly problem: string | null;
}

/** What is known of a template's run before it starts. */
export interface TemplateFigures {
  /** Most subagents that can be at work at once. */
  readonly width: number;
  readonly count: number;
  /** The most that all of them together may use; `null` = a role sets no ceiling. */
  readonly budget: Balances;
}
