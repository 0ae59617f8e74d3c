// A run as a window asks for it, made whole: what was left out is as the settings say, the model's server as the settings or
// the environment do. A key is never stored.

import { defaultLimits, type Limits, type RunOptions } from "../../shared/contract/options.ts";
import { parsePolicy } from "../../shared/contract/policy.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import type { StartRun } from "../../shared/contract/commands.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { Assignment } from "./assignment.ts";
import { roleTermsOf } from "./roleFiles.ts";
import { isAlone } from "../domain/leadWork.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { checkEndpoint } from "../models/endpoint.ts";
import { namedIn } from "./lowering.ts";
import { baseUrlOf, isOnThisMachine } from "./modelServer.ts";
import { chosenPrices, moneyLimit } from "./modelPrices.ts";
import { chosenRoleModels, type RoleModels, usualRoleModels } from "./roleModels.ts";

/** What is read of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Connects to a model server. */
export type Connect = (endpoint: { readonly baseUrl: string; readonly apiKey: string | null }) => ModelPort;

/** What a run is made whole from. */
export interface RunGround {
  readonly env: Environment;
  readonly settings: Settings;
  readonly priceOf: (baseUrl: string, model: string) => Assignment["price"];
}

/** Codes `NO_PRICE`, `ENDPOINT_INVALID`, and those of `chosenRoleModels`. */
export function assignmentOf(order: StartRun, { env, settings, priceOf }: RunGround): Result<Assignment> {
  const { folder, task, model, budget, wallMs } = order;
  const baseUrl = baseUrlOf(order.baseUrl, env);
  // It is stored with the run, so a secret in it is refused.
  if (checkEndpoint({ baseUrl, apiKey: null }).problem !== null) {
    return fail({
      code: "ENDPOINT_INVALID",
      message:
        "The address of the model server is not one: it looks like http://127.0.0.1:11434/v1, without user name, password or query.",
    });
  }
  const models = roleModelsFor(order, settings, { model, baseUrl });
  if (!models.ok) return models;
  const roleTerms = roleTermsOf(settings, { model, baseUrl, ...models.value });
  const { prices, unpriced } = chosenPrices({ model, baseUrl, ...models.value }, roleTerms.models, priceOf);
  const costMicros = moneyLimit(budget?.costMicros, settings.run.budget.costMicros, unpriced);
  if (!costMicros.ok) return costMicros;
  const { budget: usual, approve: _approve, commands: _commands, ...usualLimits } = settings.run;
  const limits: Limits = { ...defaultLimits, ...usualLimits, ...order.limits };
  return succeed({
    folder,
    task,
    options: optionsOf(order, settings, { model, baseUrl, ...models.value }),
    limits: { ...limits, leadSteps: order.limits?.leadSteps ?? order.limits?.maxSteps ?? limits.leadSteps },
    budget: {
      steps: usual.steps,
      toolCalls: usual.toolCalls,
      inputTokens: usual.inputTokens,
      outputTokens: usual.outputTokens,
      ...budget,
      costMicros: costMicros.value,
    },
    wallMs: wallMs === undefined ? usual.wallMs : wallMs,
    ...prices,
    includesDirty: order.includesDirty === true,
    named: namedIn({ limits: order.limits ?? {}, budget: budget ?? {}, wallMs }),
    ...(order.repositoryCommands === undefined ? {} : { repositoryCommands: order.repositoryCommands }),
    roleTerms,
  });
}

/** As they were named for this run, else as the settings say. `served`: its models, and where they are. */
function optionsOf(
  order: StartRun,
  settings: Settings,
  served: RoleModels & { readonly model: string; readonly baseUrl: string },
): RunOptions {
  const {
    approve = settings.run.approve,
    commands = settings.run.commands,
    network = settings.sandbox.network,
    landOn = { kind: "run-branch" },
    worktrees = "on",
    verify = [],
    setup = [],
    setupNetwork,
    // One agent alone has nobody to hold to a policy.
    policy = parsePolicy(isAlone({ options: order }) ? "llm" : settings.policy) ?? { kind: "llm" },
    workflow,
    leadEdits,
    topology,
    mayMessage,
    delegation,
    approvePlan,
  } = order;
  return {
    ...served,
    approve,
    commands,
    network,
    landOn,
    worktrees,
    verify,
    ...(setup.length === 0 ? {} : { setup }),
    ...(setupNetwork === undefined ? {} : { setupNetwork }),
    policy,
    ...(workflow === undefined ? {} : { workflow }),
    ...(leadEdits === undefined ? {} : { leadEdits }),
    ...(topology === undefined ? {} : { topology }),
    ...(mayMessage === undefined ? {} : { mayMessage }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(approvePlan === true ? { approvePlan } : {}),
    isAttended: true,
  };
}

/** As a person chose for this run, else as the settings say. One agent alone has no subagents to have any. */
function roleModelsFor(
  order: StartRun,
  settings: Settings,
  own: { readonly model: string; readonly baseUrl: string },
): Result<RoleModels> {
  const { roleModels, modelServers } = order;
  if (isAlone({ options: order })) return succeed({});
  if (roleModels === undefined) return usualRoleModels(settings, own);
  return chosenRoleModels(settings, own, { roleModels, ...(modelServers === undefined ? {} : { modelServers }) });
}

/** The model server of a run. `apiKey`: its key, where one was found. Code `NO_MODEL`: it needs one and there is none. */
export function connectWith(connect: Connect, baseUrl: string, apiKey: string | null): Result<ModelPort> {
  if (apiKey === null && !isOnThisMachine(baseUrl)) {
    return fail({
      code: "NO_MODEL",
      message: `${baseUrl} needs a key: give it one under Settings, Models, or start Coppice with OPENAI_API_KEY set.`,
    });
  }
  return succeed(connect({ baseUrl, apiKey }));
}
