// What holds where a person has set nothing: the same numbers that the command line begins with.

import { defaultBudget, defaultLimits } from "../../shared/contract/options.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";

const { maxConcurrent, maxExecutors, maxSubagents, maxChain, leadSteps } = defaultLimits;

export const defaultSettings: Settings = deepFreeze({
  version: 1,
  providers: [],
  model: null,
  roleModels: {},
  run: {
    approve: "each",
    commands: "ask",
    maxConcurrent,
    maxExecutors,
    maxSubagents,
    maxChain,
    leadSteps,
    budget: {
      steps: defaultBudget.steps,
      toolCalls: null,
      inputTokens: null,
      outputTokens: null,
      costMicros: defaultBudget.costMicros,
      wallMs: defaultBudget.wallMs,
    },
  },
  policy: "llm",
  sandbox: { network: "off" },
  roles: { repositoryCeiling: "read" },
  recovery: { autoResume: true },
  environment: { path: null },
  appearance: { theme: "system", motion: "system" },
  notifications: { needsYou: true, finished: true, quietHours: null },
  keys: {},
  data: { keepDays: null },
});
