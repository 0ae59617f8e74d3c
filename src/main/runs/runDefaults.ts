// A run as a window asks for it, made whole: what was left out is as on the command line, and the model's server and key
// come from the environment. A key is never stored.

import { defaultBudget, defaultLimits, type Limits } from "../../shared/contract/options.ts";
import type { StartRun } from "../../shared/contract/commands.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { Assignment } from "./assignment.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { checkEndpoint } from "../models/endpoint.ts";
import { findPrice } from "../models/pricing.ts";
import { baseUrlOf, isOnThisMachine } from "./modelServer.ts";

/** What is read of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Connects to a model server. */
export type Connect = (endpoint: { readonly baseUrl: string; readonly apiKey: string | null }) => ModelPort;

/** Codes `NO_PRICE`, `ENDPOINT_INVALID`. */
export function assignmentOf(order: StartRun, env: Environment): Result<Assignment> {
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
  const price = findPrice(model);
  if (budget?.costMicros != null && price === null) {
    return fail({
      code: "NO_PRICE",
      message: `The price of ${model} is not known, so money cannot be limited; limit tokens or steps instead.`,
    });
  }
  const {
    approve = "each",
    commands = "ask",
    network = "off",
    landOn = { kind: "run-branch" },
    worktrees = "on",
    verify = [],
  } = order;
  const limits: Limits = { ...defaultLimits, ...order.limits };
  return succeed({
    folder,
    task,
    options: { model, baseUrl, approve, commands, network, landOn, worktrees, verify, isAttended: true },
    limits: { ...limits, leadSteps: order.limits?.leadSteps ?? order.limits?.maxSteps ?? limits.leadSteps },
    budget: {
      steps: defaultBudget.steps,
      toolCalls: null,
      inputTokens: null,
      outputTokens: null,
      costMicros: price === null ? null : defaultBudget.costMicros,
      ...budget,
    },
    wallMs: wallMs === undefined ? defaultBudget.wallMs : wallMs,
    price,
    includesDirty: order.includesDirty === true,
  });
}

/** The model server of a run, with the key of the environment. Code `NO_MODEL`: it needs one and there is none. */
export function connectFrom(env: Environment, connect: Connect, baseUrl: string): Result<ModelPort> {
  const apiKey = env["OPENAI_API_KEY"]?.trim() || null;
  if (apiKey === null && !isOnThisMachine(baseUrl)) {
    return fail({ code: "NO_MODEL", message: `${baseUrl} needs a key: start Coppice with OPENAI_API_KEY set.` });
  }
  return succeed(connect({ baseUrl, apiKey }));
}
