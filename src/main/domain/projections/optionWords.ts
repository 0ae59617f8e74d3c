// What changed of a run's options, as words: each the option's own name on the command line, and what it is from here on.

import type { Limits, RunOptions } from "../../../shared/contract/options.ts";
import type { EventData } from "../events.ts";
import { serverOf } from "../modelServers.ts";

const limitNames: Readonly<Record<keyof Limits, string>> = {
  maxSubagents: "max-subagents",
  maxChain: "max-chain",
  maxConcurrent: "max-concurrent",
  maxExecutors: "max-executors",
  maxPerModel: "agents per model",
  maxOverAllRuns: "agents over all runs",
  maxSteps: "max-steps",
  leadSteps: "steps of the lead",
  checkIntervalMs: "check-interval-ms",
  maxSubagentMs: "max-subagent-ms",
  modelIdleMs: "model-idle-ms",
  modelFirstEventMs: "ms to a model's first event",
};

/** What is given anew, or all that holds. */
type OptionSet = Omit<EventData["options.set"], "by" | "target" | "finalTarget"> & {
  readonly target?: { readonly branch: string };
  readonly finalTarget?: { readonly branch: string };
};

/** In the order in which a run is started with them; never empty where anything is given. Texts of a person's are as they gave them, on no line of their own. */
export function optionWords({
  options = {},
  limits = {},
  target,
  finalTarget,
  price,
  rolePrices,
  budget = {},
  wallMs,
}: OptionSet): readonly string[] {
  const { model, baseUrl, approve, commands, network, verify, setup, setupNetwork, mayMessage, isAttended } = options;
  return [
    ...sourceWords(options),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(baseUrl === undefined ? [] : [`base-url ${baseUrl}`]),
    ...roleModelWords(options),
    ...(approve === undefined ? [] : [`approve ${approve}`]),
    ...(isAttended === undefined ? [] : [isAttended ? "somebody to ask" : "nobody to ask"]),
    ...(commands === undefined ? [] : [`commands ${commands}`]),
    ...(network === undefined ? [] : [`network ${network}`]),
    ...landingWords(options.landOn, (finalTarget ?? target)?.branch),
    ...(verify === undefined ? [] : [verify.length === 0 ? "no checks" : `verify ${verify.join("; ")}`]),
    ...(setup === undefined ? [] : [`setup ${setup.join("; ")}`]),
    ...(mayMessage === undefined ? [] : mayMessage.map(({ from, to }) => `may-message ${from}:${to}`)),
    ...(setupNetwork === undefined ? [] : [`setup-network ${setupNetwork}`]),
    ...Object.entries(limits).map(([name, value]) => `${limitNames[name as keyof Limits]} ${value ?? "by role"}`),
    ...Object.entries(budget).map(([name, value]) => `budget ${name} ${value ?? "unlimited"}`),
    ...(wallMs === undefined ? [] : [wallMs === null ? "no wall time" : `wallMs ${wallMs}`]),
    ...(price === undefined ? [] : [price === null ? "price unknown" : "another price"]),
    ...(rolePrices === undefined ? [] : ["other prices of the roles' models"]),
  ];
}

/** The models that roles have of their own, with where those are that are not at the run's server. */
export function roleModelWords({ roleModels = {}, ...options }: Partial<RunOptions>): readonly string[] {
  const { model = "", baseUrl = "", modelServers = {} } = options;
  return Object.entries(roleModels).map(([role, name]) => {
    const server = serverOf({ model, baseUrl, modelServers }, name);
    return `${role} model ${name}${server === baseUrl ? "" : ` at ${server}`}`;
  });
}

/** Named another way, it may be the same branch as before. */
function landingWords(landOn: RunOptions["landOn"] | undefined, branch: string | undefined): readonly string[] {
  if (branch !== undefined) return [`lands on ${branch}`];
  if (landOn === undefined) return [];
  return [`land-on ${landOn.kind === "branch" ? `branch:${landOn.name}` : landOn.kind}`];
}

function sourceWords({ cassette, record }: Partial<RunOptions>): readonly string[] {
  return [
    ...(cassette === undefined ? [] : [cassette === null ? "answers from the server" : `cassette ${cassette}`]),
    ...(record === undefined ? [] : [record === null ? "not recorded" : `record ${record}`]),
  ];
}
