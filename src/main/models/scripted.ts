// A model that answers from a script, in process: for the bundled demonstration and for tests. No network, no chance.
// The n-th turn of an entry answers the request that holds n assistant messages; the last turn answers all later ones.

import { setImmediate, setTimeout } from "node:timers/promises";
import type { ToolCall, Usage } from "../domain/records.ts";
import type { ModelOutcome, ModelPort, ModelRequest } from "../engine/ports/model.ts";

export interface AnswerTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  readonly usage?: Usage;
  readonly delayMs?: number;
}

/** `outcome` ends the request just so, such as a cut or a failure; its text is streamed first. */
export interface OutcomeTurn {
  readonly outcome: ModelOutcome;
  readonly delayMs?: number;
}

export type ScriptedTurn = AnswerTurn | OutcomeTurn;

export interface ScriptEntry {
  match(firstUserMessage: string): boolean;
  readonly turns: readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>))[];
}

export interface Script {
  readonly entries: readonly ScriptEntry[];
}

const pieces = 4;

/** Answers by the first entry that matches; without one the request fails with `SCRIPT_NO_MATCH`. Obeys abort at any point. */
export function createScriptedModel(script: Script): ModelPort {
  return {
    async complete(request, watch) {
      let text = "";
      try {
        const turn = await findTurn(script, request);
        if (turn === null) return noMatch(request);
        if (turn.delayMs !== undefined) await setTimeout(turn.delayMs, undefined, { signal: watch.signal });
        const outcome = "outcome" in turn ? turn.outcome : answer(turn, request);
        for (const piece of cutInPieces(outcome.text)) {
          await setImmediate(undefined, { signal: watch.signal });
          watch.onData();
          watch.onText(piece);
          text += piece;
        }
        await setImmediate(undefined, { signal: watch.signal });
        watch.onData();
        return outcome;
      } catch (error) {
        if (watch.signal.aborted) return { kind: "aborted", text };
        const message = `The script's turn failed: ${error instanceof Error ? error.message : String(error)}`;
        return { kind: "failed", code: "SCRIPT_FAILED", message, retryable: false, retryAfterMs: null, text };
      }
    },
  };
}

/** The message that scripts match on: the run's task for a lead, the packet for a subagent. */
export function firstUserMessage(request: Pick<ModelRequest, "messages">): string {
  return request.messages.find((message) => message.role === "user")?.content ?? "";
}

async function findTurn(script: Script, request: ModelRequest): Promise<ScriptedTurn | null> {
  const entry = script.entries.find((candidate) => candidate.match(firstUserMessage(request)));
  const answered = countAnswered(request);
  const turn = entry?.turns[answered] ?? entry?.turns.at(-1);
  if (turn === undefined) return null;
  return typeof turn === "function" ? turn(request) : turn;
}

function countAnswered(request: ModelRequest): number {
  return request.messages.filter((message) => message.role === "assistant").length;
}

function answer(turn: AnswerTurn, request: ModelRequest): ModelOutcome {
  const answered = countAnswered(request);
  const toolCalls = (turn.calls ?? []).map((call, position): ToolCall => {
    return { id: `call_${answered + 1}_${position + 1}`, name: call.name, arguments: JSON.stringify(call.arguments) };
  });
  const finish = toolCalls.length > 0 ? "tool_calls" : "stop";
  return {
    kind: "completed",
    text: turn.text ?? "",
    reasoning: turn.reasoning ?? "",
    toolCalls,
    finish,
    usage: turn.usage ?? null,
  };
}

function cutInPieces(text: string): readonly string[] {
  // By code point: half of a pair is no text.
  const points = [...text];
  const length = Math.max(1, Math.ceil(points.length / pieces));
  return Array.from({ length: Math.ceil(points.length / length) }, (_, piece) =>
    points.slice(piece * length, (piece + 1) * length).join(""),
  );
}

function noMatch(request: ModelRequest): ModelOutcome {
  const message = `No entry of the script matches the first user message "${firstUserMessage(request).slice(0, 80).toWellFormed()}".`;
  return { kind: "failed", code: "SCRIPT_NO_MATCH", message, retryable: false, retryAfterMs: null, text: "" };
}
