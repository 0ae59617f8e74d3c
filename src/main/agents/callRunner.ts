// Carries out the calls of one turn: consecutive safe ones side by side, writers one after the other, each answer to
// its own call. Nothing touches the world before its dispatch is committed.

import type { CallState } from "../domain/state.ts";
import { findNode, requireAgent } from "../domain/state.ts";
import { isWaitOver } from "../domain/decisions/control.ts";
import type { WaitArguments } from "../domain/commands.ts";
import type { SubagentId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { Bench } from "./bench.ts";
import { askToRun } from "./commandPolicy.ts";
import { markEvidence } from "./evidence.ts";
import { capOutput, holdsMark, redact } from "./redact.ts";
import { maxRepairs, parseResult, unfitResult } from "./result.ts";
import { hashResult } from "./resultHash.ts";
import { controlTools, isControlTool, parseControl, submitResult } from "./tools/control.ts";
import { effectClassOf, parseArguments } from "./tools/registry.ts";
import type { Tool } from "./tools/tool.ts";

/** The largest answer that a model gets and the journal keeps, bytes. */
const maxOutputBytes = 60_000;

/** Carries out what is open among these calls. Returns when all are answered, or early when the seat is left. */
export async function runCalls(seat: Seat, bench: Bench, calls: readonly CallState[], clock: Clock): Promise<void> {
  for (const batch of batchesOf(calls, bench)) {
    if (seat.signal.aborted) return;
    // Started in the order of the calls, so that the spawns of one turn are admitted in that order.
    await Promise.all(batch.map((call) => runCall(seat, bench, call, clock)));
  }
}

function batchesOf(calls: readonly CallState[], bench: Bench): readonly (readonly CallState[])[] {
  const batches: CallState[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isSafe = isControlTool(call.tool) || bench.findTool(call.tool)?.isConcurrencySafe === true;
    if (isSafe && isOpen) batches.at(-1)?.push(call);
    else batches.push([call]);
    isOpen = isSafe;
  }
  return batches;
}

/** No `await` stands before the first dispatch of a control call: the mailbox keeps the order of the calls. */
function runCall(seat: Seat, bench: Bench, call: CallState, clock: Clock): Promise<void> {
  // Cut off by a crash, and a person has been asked what became of it: it is not carried out again.
  if (call.status === "dispatched") return untilAnswered(seat, call);
  // No subagent has that tool. The core says why, as of any spawn that it refuses.
  if (call.tool === controlTools.spawnSubagent.name && seat.agent !== "lead")
    return runControl(seat, call, controlTools.spawnSubagent.name, clock);
  if (!bench.isAllowed(call.tool)) return refuseUnoffered(seat, bench, call);
  if (isControlTool(call.tool)) return runControl(seat, call, call.tool, clock);
  if (call.tool === submitResult.name) return submit(seat, call);
  const tool = bench.findTool(call.tool);
  return tool ? runTool(seat, bench, call, tool, clock) : refuseUnoffered(seat, bench, call);
}

/** A tool outside the list is refused before any dispatch, in the journal and to the model. */
function refuseUnoffered(seat: Seat, bench: Bench, call: CallState): Promise<void> {
  const names = bench.allowedNames.join(", ");
  return bench.isKnown(call.tool)
    ? refuse(seat, call, "POLICY_DENIED", `${call.tool} is not among your tools; they are ${names}.`)
    : refuse(seat, call, "UNKNOWN_TOOL", `There is no tool ${call.tool}; yours are ${names}.`);
}

async function refuse(seat: Seat, call: CallState, code: string, message: string): Promise<void> {
  await seat.dispatch({ type: "agent.refuse", agent: seat.agent, call: call.id, code, message });
}

async function runControl(
  seat: Seat,
  call: CallState,
  name: Parameters<typeof parseControl>[0],
  clock: Clock,
): Promise<void> {
  const parsed = parseControl(name, call.arguments);
  if (!parsed.ok) return refuse(seat, call, parsed.error.code, parsed.error.message);
  const control = parsed.value;
  const command = { type: "agent.control", agent: seat.agent, call: call.id, control } as const;
  await seat.dispatch(command);
  if (control.tool === "askPerson" || control.tool === "updatePlan") return untilAnswered(seat, call);
  if (control.tool !== "waitForSubagents") return;
  while (isUnanswered(seat, call) && !seat.signal.aborted) {
    const { n } = seat.state();
    const isOver = isDue(seat, control.input, call, clock);
    if (isOver) await seat.dispatch(command);
    // Over, and yet not answered: a person has been asked for more budget first.
    if (isUnanswered(seat, call)) await seat.untilPast(n, isOver ? undefined : remainingMs(control.input, call, clock));
  }
}

/** A person's answer comes with the decision; until then there is nothing to do but to wait for it. */
async function untilAnswered(seat: Seat, call: CallState): Promise<void> {
  while (isUnanswered(seat, call) && !seat.signal.aborted) await seat.untilPast(seat.state().n);
}

function isDue(seat: Seat, input: WaitArguments, call: CallState, clock: Clock): boolean {
  const left = remainingMs(input, call, clock);
  return isWaitOver(seat.state(), input) || (left !== undefined && left <= 0);
}

/** Until a wait's own limit, counted from its call also across a crash; `undefined` without one. */
function remainingMs(input: WaitArguments, call: CallState, clock: Clock): number | undefined {
  return input.timeoutMs === undefined ? undefined : call.at + input.timeoutMs - clock.now();
}

function isUnanswered(seat: Seat, call: CallState): boolean {
  return requireAgent(seat.state(), seat.agent).calls.some((one) => one.id === call.id && one.status !== "answered");
}

async function submit(seat: Seat, call: CallState): Promise<void> {
  const agent = seat.agent as SubagentId;
  const node = findNode(seat.state(), agent);
  if (!node) return refuse(seat, call, "POLICY_DENIED", "Only a subagent submits a result; answer with text.");
  const parsed = parseResult(call.arguments, node.packet.outputSchema);
  if (!parsed.ok && node.repairs < maxRepairs) {
    const errors = Array.isArray(parsed.error.details) ? (parsed.error.details as string[]) : [parsed.error.message];
    await seat.dispatch({ type: "agent.repair", agent, call: call.id, errors });
    return;
  }
  const result = parsed.ok ? parsed.value : unfitResult(call.arguments);
  const place = result.evidence.length === 0 ? null : await seat.place();
  const marks = place?.ok ? (await markEvidence(result.evidence, place.value.path)).map((item) => item.mark) : [];
  await seat.dispatch({
    type: "agent.submit",
    agent,
    call: call.id,
    result,
    schema: parsed.ok ? "ok" : "unstructured",
    marks,
  });
}

async function runTool(seat: Seat, bench: Bench, call: CallState, tool: Tool, clock: Clock): Promise<void> {
  const parsed = parseArguments(tool, call.arguments);
  if (!parsed.ok) return refuse(seat, call, parsed.error.code, parsed.error.message);
  if (tool.effect !== "read" && holdsMark(call.arguments))
    return refuse(
      seat,
      call,
      "SECRET_IN_ARGUMENTS",
      `${tool.name} was not called: its arguments hold a secret, or the mark of one, and secrets are not stored. Leave it out; refer to it by the name of an environment variable or a file.`,
    );
  const permission = await askToRun(seat, bench, call, tool, parsed.value);
  if (permission === "waiting") return;
  if (permission !== "allowed") return refuse(seat, call, permission.code, permission.message);
  const place = await seat.place();
  if (!place.ok) {
    // Broken off with the drive: whoever drives next makes it.
    if (seat.signal.aborted) return;
    await seat.dispatch({
      type: "agent.fail",
      agent: seat.agent,
      code: place.error.code,
      sentence: place.error.message,
    });
    return;
  }
  const { network } = seat.state().options;
  const effectClass = effectClassOf(tool, { sandbox: bench.sandbox.kind, network });
  const dispatched = await seat.dispatch({
    type: "agent.dispatch",
    agent: seat.agent,
    call: call.id,
    effect: tool.effect,
    class: effectClass,
    input: parsed.value as Json,
  });
  // Refused by the budget, or the agent was ended meanwhile: the act does not take place.
  if (!dispatched.ok || !dispatched.value.events.some((event) => event.type === "tool.dispatched")) return;
  // Stopped between the record and the act, and woken when another process may drive the run: that one judges the call.
  if (!seat.isHeld()) return;
  const ended = seat.inFlight(tool.effect === "execute" ? "command" : "tool", tool.name);
  const from = clock.monotonic();
  // Of the others nobody is asked what became of them.
  const note = effectClass === "opaque" ? seat.noteOutput(call.id) : null;
  try {
    const context = bench.contextFor(place.value, seat.signal, (text) => {
      seat.touch();
      note?.add(text);
    });
    const answer = await tool.run(parsed.value, context);
    const output = capOutput(redact(answer.output).text, maxOutputBytes);
    await seat.dispatch({
      type: "agent.settle",
      agent: seat.agent,
      call: call.id,
      outcome: answer.outcome,
      ...(answer.exitCode === undefined ? {} : { exitCode: answer.exitCode }),
      durationMs: Math.round(clock.monotonic() - from),
      output,
      ...(answer.code === undefined ? {} : { code: answer.code }),
      resultHash: hashResult(answer),
      ...(answer.seen === undefined ? {} : { seen: answer.seen }),
      ...(answer.changedState === undefined ? {} : { changedState: answer.changedState }),
    });
  } finally {
    ended();
    await note?.close();
  }
}
