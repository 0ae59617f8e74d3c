// A conversation summed up by its own model: one request, paid like any turn, whose answer stands from then on for the
// turns that it is about. What must not hang on a model's memory, its plan and the ledger of its delegations, is put beside it.

import { clipText } from "../domain/projections/clip.ts";
import type { RunState } from "../domain/state.ts";
import type { Prompt } from "../domain/turn.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { ChatMessage } from "../engine/ports/model.ts";
import { type Fit, ledgerFor, windowFor } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { askUntilAnswered, type ModelAnswer, type ModelDesk } from "./modelRequest.ts";

const prompt: Prompt = {
  kind: "summary",
  text: `Your conversation has grown too long to be sent whole: the turns above are left out from here on, and what you write now stands in their place. Write for yourself, in at most 600 words, what you need to go on:
- what you found, with file names, lines and exact names;
- what you did and changed, and what came of it;
- what was decided, and why;
- what did not work;
- what is left to do.
Facts only. Your task, and what people and your lead wrote to you, is kept as it is. Answer with this text alone and call no tool.`,
};

/** Characters of a summary. */
const longestSummary = 12_000;

/** Asks for the summary that is due. Afterwards `context.compacted` is on disk, or the turns stand as before: the answer was empty, was cut, or could not be paid for. */
export async function sumUp(
  seat: Seat,
  desk: ModelDesk,
  conversation: Conversation,
  { upTo, from }: Extract<Fit, { kind: "summary" }>,
): Promise<void> {
  const refusals = conversation.refusedLengths().length;
  await askUntilAnswered(seat, desk, () => {
    // One that its server finds too long is not made again as it was.
    if (conversation.read(seat.state(), seat.journal()).refusedLengths().length > refusals)
      return Promise.resolve(null);
    const messages: readonly ChatMessage[] = [
      ...conversation.messagesUpTo(upTo),
      { role: "user", content: prompt.text },
    ];
    return Promise.resolve({
      messages,
      tools: [],
      isForced: false,
      prompt,
      isLive: false,
      accept: (request, answer, costMicros) =>
        record(seat, desk, conversation, { request, answer, costMicros, upTo, from }),
    });
  });
}

interface Summed {
  readonly request: string;
  readonly answer: ModelAnswer;
  readonly costMicros: number | null;
  readonly upTo: number;
  readonly from: number;
}

async function record(seat: Seat, desk: ModelDesk, conversation: Conversation, summed: Summed): Promise<void> {
  const { agent } = seat;
  const { request, answer, costMicros, upTo, from } = summed;
  const { text, reasoning, finish, usage } = answer;
  if (text.trim() === "") {
    const message = "The model was asked to sum up its conversation and answered without text.";
    const code = "EMPTY_SUMMARY";
    await seat.dispatch({
      type: "agent.failRequest",
      agent,
      request,
      code,
      message,
      text,
      isFinal: false,
      wasCharged: true,
    });
    return;
  }
  const summary = wordSummary(seat.state(), agent === "lead", upTo, text);
  const ledger = ledgerFor(seat, windowFor(seat, conversation, desk.policy));
  const gone = desk.policy.estimateTokens(conversation.messagesUpTo(upTo), []);
  const told = [summary, ledger ?? ""].map((content) => ({ role: "user" as const, content }));
  const stays = desk.policy.estimateTokens([...conversation.messagesUpTo(0), ...told], []);
  await seat.dispatch({
    type: "agent.summarize",
    agent,
    request,
    text,
    reasoning,
    finish,
    usage,
    costMicros,
    upTo,
    summary,
    from,
    to: from - gone + stays,
    ...(ledger === null ? {} : { ledger }),
  });
}

/** What the agent reads in place of its turns. */
function wordSummary(state: RunState, isLead: boolean, upTo: number, text: string): string {
  const parts = [
    `[Your earlier turns are left out to save context; they stand in the journal as log ${state.run} up to #${upTo}. You summed them up yourself:]`,
    clipText(text.trim(), longestSummary),
    isLead ? plan(state) : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The lead's plan as it last wrote it. */
function plan({ plan: steps }: RunState): string {
  const lines = steps.map(({ id, title, status }) => `- ${id} (${status}): ${title}`);
  return lines.length === 0 ? "" : `Your plan:\n${lines.join("\n")}`;
}
