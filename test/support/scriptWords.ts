// What the scripted model says, in the words of the tools: turns and calls of a script. For tests and specs alike.

import type { ScriptedCall, ScriptedTurn } from "./scriptedModel.ts";

export const call = (name: string, args: unknown): ScriptedTurn => ({ calls: [{ name, args }] });
export const calls = (...made: readonly ScriptedCall[]): ScriptedTurn => ({ calls: made });
export const say = (text: string): ScriptedTurn => ({ text });
export const spawn = (task: string, more: object = {}): ScriptedCall => ({
  name: "spawnSubagent",
  args: { task, ...more },
});
export const wait = (ids: readonly string[], more: object = {}): ScriptedTurn =>
  call("waitForSubagents", { subagentIds: ids, ...more });
export const runCommand = (command: string): ScriptedTurn => call("runCommand", { command });
export const submit = (answer: string, more: object = {}): ScriptedTurn =>
  call("submitResult", { status: "done", answer, evidence: [], uncertainty: "low", followups: [], ...more });
export const edit = (...changes: readonly object[]): ScriptedTurn => call("applyEdit", { changes });

/** Replaces texts in one file, each by another. */
export const replace = (
  path: string,
  ...pairs: readonly (readonly [oldText: string, newText: string])[]
): ScriptedTurn => edit(...pairs.map(([oldText, newText]) => ({ kind: "replace", path, oldText, newText })));

/** The call that asks for an executor that may write below `paths`. */
export const executor = (task: string, ...paths: readonly string[]) => spawn(task, { role: "executor", paths });
