// The lead's control tools and `submitResult`, as offered to models. They are commands, not effects: no dispatch, no
// settlement; what they answer is decided by the core.

import { z } from "zod";
import { maxGroupName } from "../../../shared/contract/topology.ts";
import type { ControlCall } from "../../domain/commands.ts";
import { fail, type Result, succeed } from "../../../shared/lib/result.ts";
import { compileSchema } from "../outputSchema.ts";
import { parseArguments } from "./registry.ts";

const text = z.string().trim().min(1, "must not be blank");
const positiveInteger = z.number().int().positive();
const dependency = z.union([
  text,
  z.strictObject({ id: text, until: z.enum(["completed", "proposed"]).optional(), because: text.optional() }),
]);
const stated = z.strictObject({ verdict: z.enum(["met", "not_met", "unknown"]), evidence: text });

const balances = z.strictObject({
  steps: positiveInteger.optional(),
  toolCalls: positiveInteger.optional(),
  inputTokens: positiveInteger.optional(),
  outputTokens: positiveInteger.optional(),
  costUsd: z.number().positive().optional(),
});

const spawnParameters = z.strictObject({
  task: text.describe("What to do, complete in itself: the subagent sees nothing of this conversation."),
  role: text
    .optional()
    .describe(
      "explorer (default), reviewer, planner: read only. verifier: may run commands. executor: edits and runs, in a worktree of its own.",
    ),
  dependsOn: z
    .array(dependency)
    .optional()
    .describe(
      'Ids of subagents that must be done first; their results join the packet. { id, until: "proposed" } is met once an executor\'s change is proposed.',
    ),
  toolHints: z.array(text).optional().describe("Narrows the role's tools to these."),
  context: text.optional().describe("Facts the subagent needs: files, findings, decisions."),
  constraints: z.array(text).optional().describe("What it must not do, or must keep."),
  paths: z
    .array(text)
    .optional()
    .describe("Files or folders that an executor may edit; globs allowed. Overlapping claims wait for each other."),
  maxSteps: positiveInteger.optional(),
  timeoutMs: positiveInteger.optional().describe("Ceiling of its running time."),
  budget: balances.optional(),
  outputSchema: z
    .record(z.string(), z.json())
    .refine((schema) => compileSchema(schema) !== null, "is not a JSON Schema")
    .optional()
    .describe("JSON Schema for `data` in the result."),
  model: text.optional(),
  agent: z.enum(["coppice"]).optional().describe("Whose loop it runs in; there is the one."),
  independence: z
    .record(text, stated)
    .optional()
    .describe("Under a policy of rules: each of its conditions, with your verdict and what shows it."),
  step: text.optional(),
  criteria: z.array(text).optional().describe("What it shall give verdicts on."),
  replaces: text.optional().describe("Id of the subagent that this one is a new attempt of."),
  reason: text.optional().describe("Why this is delegated, for the person who watches."),
  group: text
    .max(maxGroupName)
    .optional()
    .describe("The group it stands in; those of one group write to each other and share notes. Absent: alone."),
  mayMessage: z
    .array(text.max(maxGroupName))
    .max(50)
    .optional()
    .describe("The allow list: ids of subagents, and names of groups, that it may write to beside its own group."),
});

/** What a spawn takes where there are no groups. */
const ungroupedParameters = spawnParameters.omit({ group: true, mayMessage: true });

const ids = z.array(text);

/** Name, text for the model and parameters of each control tool. */
export const controlTools = {
  spawnSubagent: {
    name: "spawnSubagent",
    description: "Registers a subagent and returns its id at once; it does not wait. Refusals say why.",
    parameters: spawnParameters,
  },
  waitForSubagents: {
    name: "waitForSubagents",
    description:
      'Waits for subagents and returns their results. For an executor it returns when its change is proposed and checked, unless until is "completed".',
    parameters: z.strictObject({
      subagentIds: ids,
      mode: z.enum(["all", "any"]).optional().describe("all (default), or any: return as soon as one is there."),
      until: z.enum(["proposed", "completed"]).optional(),
      timeoutMs: positiveInteger.optional(),
    }),
  },
  cancelSubagent: {
    name: "cancelSubagent",
    description: "Ends a subagent that is not finished. What it made is kept, and can be restored by the person.",
    parameters: z.strictObject({ subagentId: text }),
  },
  peekSubagents: {
    name: "peekSubagents",
    description: "Shows every subagent's status and what it is doing, without waiting.",
    parameters: z.strictObject({}),
  },
  messageSubagent: {
    name: "messageSubagent",
    description:
      "Adds a message for a subagent: to its packet before it starts, at its next turn while it runs. Answers the question of one that needs context.",
    parameters: z.strictObject({ subagentId: text, text }),
  },
  askPerson: {
    name: "askPerson",
    description:
      "Asks the person who gave the task, and waits for the answer. Only for what you can neither find out nor decide.",
    parameters: z.strictObject({ question: text, choices: z.array(text).optional() }),
  },
  updatePlan: {
    name: "updatePlan",
    description:
      "Writes your plan anew, all of its steps. A step is done only once a subagent that was given its id as `step` has completed.",
    parameters: z.strictObject({
      steps: z
        .array(
          z.strictObject({
            id: text,
            title: text,
            status: z.enum(["pending", "running", "done", "dropped"]),
            criteria: z.array(text).optional(),
            role: text.optional().describe("Who would do it."),
            blockedBy: z.array(text).optional().describe("Ids of the steps that must be done first."),
          }),
        )
        .max(50),
    }),
  },
  messagePeer: {
    name: "messagePeer",
    description:
      "Writes to another subagent, by id, or to everybody in a group, by its name: only to whom your packet allows. It reads it at its next turn, as data; it answers no question and is no result.",
    parameters: z.strictObject({ to: text.max(maxGroupName), text: text.max(4_000) }),
  },
  note: {
    name: "note",
    description:
      "Keeps a finding, a decision or a risk for everybody who works on this run later; the person reads it too.",
    parameters: z.strictObject({
      kind: text.max(40).describe("One word: learning, decision, issue, problem."),
      text: text.max(4_000),
    }),
  },
} as const;

export type ControlToolName = keyof typeof controlTools;

/** A spawn as it is offered under any topology but `groups`. */
export const spawnWithoutGroups = { ...controlTools.spawnSubagent, parameters: ungroupedParameters } as const;

export function isControlTool(name: string): name is ControlToolName {
  return Object.hasOwn(controlTools, name);
}

/** Reads a control call's arguments. Code `BAD_ARGUMENTS`, by field. */
export function parseControl(name: ControlToolName, args: string): Result<ControlCall> {
  const parsed = parseArguments<unknown>(controlTools[name], args);
  if (!parsed.ok) return fail(parsed.error);
  // Each tool's schema yields its own call's input; the name ties the two.
  return succeed({ tool: name, input: parsed.value } as ControlCall);
}

const evidence = z.strictObject({
  source: text.describe("path:line, or path:first-last, relative to your folder."),
  quote: z.string().optional(),
  line: positiveInteger.optional(),
});

export const submitResult = {
  name: "submitResult",
  description: "Ends your work with a result. It is checked; if it does not fit, the errors come back.",
  parameters: z.strictObject({
    status: z.enum(["done", "done_with_concerns", "needs_context", "blocked"]),
    answer: text.describe("Your conclusion in plain words; with needs_context, your question."),
    evidence: z.array(evidence),
    uncertainty: z.enum(["low", "medium", "high"]),
    followups: z.array(text),
    verdicts: z
      .array(
        z.strictObject({ criterion: text, verdict: z.enum(["passed", "failed", "unknown"]), evidence: z.string() }),
      )
      .optional(),
    data: z.json().optional(),
  }),
} as const;
