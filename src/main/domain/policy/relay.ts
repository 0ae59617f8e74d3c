// A coordinator reads what its workers found and words the next piece of work itself. What it only hands on, word for
// word, is refused: a dependency hands results on as data, marked and whole.

import type { SpawnRefusal } from "../decisions/spawn.ts";
import type { RunState } from "../state.ts";

/** So many words of an answer in a row, and it is that answer that speaks. */
const relayedWords = 12;

/** Refuses texts that repeat a subagent's answer; `null`: they do not, or nobody coordinates here. Code `RELAYED`. */
export function relayRefusal(state: RunState, texts: readonly string[]): SpawnRefusal | null {
  if (state.options.topology !== "coordinator") return null;
  const runs = new Set(texts.flatMap(runsOfWords));
  const source = state.nodes.find((node) => runsOfWords(node.result?.answer ?? "").some((run) => runs.has(run)));
  return source === undefined
    ? null
    : {
        code: "RELAYED",
        sentence: `This repeats what ${source.id} answered, ${relayedWords} words or more of it. Say in your own words what is to be done, and let it depend on ${source.id}: then the result itself stands in its packet.`,
      };
}

function runsOfWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return Array.from({ length: Math.max(0, words.length - relayedWords + 1) }, (_, index) =>
    words.slice(index, index + relayedWords).join(" "),
  );
}
