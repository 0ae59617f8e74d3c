// A team that talks all the time, as a script of the model: each subagent says a piece every so often, makes a call, and goes
// on with the next turn. Knows who has been heard, so that a measurement can tell whether all of them were.

import { setTimeout as sleep } from "node:timers/promises";

import { calls, say, spawn, wait } from "../test/support/scriptWords.ts";
import { completionChunk, type RequestBody, type ScriptedEntry } from "../test/support/scriptedModel.ts";

/** A piece of a word so often, so many of them a turn. */
const pieceMs = 100;
const piecesATurn = 80;
/** As many as one turn of the lead may spawn. */
const spawnsATurn = 10;
const words = "the journal keeps what was said and a line of it stands **here**, in `read.txt`, as it came\n\n".split(
  " ",
);

/** What the team is told, by which its script knows it. */
export const teamTask = "Read all of it.";
/** Each turn reads another line: who is answered the same again and again is stopped for going in circles. */
export const teamFiles = { "read.txt": Array.from({ length: 1_000 }, (_, line) => `line ${line + 1}\n`).join("") };

export interface TalkingTeam {
  readonly script: readonly ScriptedEntry[];
  /** How many of the subagents have said something since this was asked last. */
  heardCount(): number;
}

/** The lead spawns `size` subagents and waits for them; none of them ever comes to its end. */
export function createTalkingTeam(size: number): TalkingTeam {
  const ids = Array.from({ length: size }, (_, index) => `subagent-${index + 1}`);
  const spawnTurns = Array.from({ length: Math.ceil(size / spawnsATurn) }, (_, turn) =>
    calls(
      ...ids
        .slice(spawnsATurn * turn, spawnsATurn * (turn + 1))
        .map((id) => spawn(`READ what ${id} is to read, and sum it up.`)),
    ),
  );
  const heard = new Set<string>();
  const turn = (body: RequestBody, answered: number) => {
    const who = whoIn(body);
    return { stream: speech(() => heard.add(who), answered) };
  };
  return {
    script: [
      { match: /^Read all/, turns: [...spawnTurns, wait(ids), say("Done.")] },
      { match: /^READ/, turns: [turn] },
    ],
    heardCount() {
      const { size: count } = heard;
      heard.clear();
      return count;
    },
  };
}

/** Whose conversation it is, by the task in its packet. */
function whoIn({ messages }: RequestBody): string {
  const packet = JSON.stringify(messages.find(({ role }) => role === "user")?.content);
  return /READ what (subagent-\d+)/.exec(packet)?.[1] ?? "";
}

async function* speech(onPiece: () => void, answered: number): AsyncGenerator<object> {
  for (let piece = 0; piece < piecesATurn; piece++) {
    onPiece();
    yield completionChunk({ content: `${words[piece % words.length]} ` });
    await sleep(pieceMs);
  }
  const read = { name: "readFile", arguments: JSON.stringify({ path: "read.txt", startLine: 1 + answered }) };
  yield completionChunk({ tool_calls: [{ index: 0, id: `call_${answered}`, type: "function", function: read }] });
  yield completionChunk({}, "tool_calls");
}
