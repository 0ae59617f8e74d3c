// A run as it goes, on a terminal or a pipe: whole lines, in the order of the journal, and what came of it at the end.
// Never moves a cursor, never takes a line back.

import type { AgentId } from "../../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../../../domain/events.ts";
import type { Summary } from "../summary.ts";
import { renderClosing, type Spoken } from "./closing.ts";
import { drawEntry, type Entry, type Teller } from "./entry.ts";
import { type Look, lookOf, type LookOptions } from "./look.ts";
import { plainText } from "./plainText.ts";
import { reviewTellers } from "./tellReview.ts";
import { modelTellers, runTellers, subagentTellers } from "./tellWork.ts";

export interface ProgressOptions extends LookOptions {
  /** Takes one line without its line feed. */
  write(line: string): void;
}

export interface Progress {
  /** A committed event, with the picture after it. */
  event(event: RunEvent, snapshot: RunSnapshot): void;
  /** The next piece of an agent's text, provisional until its turn is committed. */
  live(agent: AgentId, text: string): void;
  end(summary: Summary, snapshot: RunSnapshot): void;
}

/** One entry for each event type; the compiler refuses a missing one. */
const tellers = { ...runTellers, ...modelTellers, ...subagentTellers, ...reviewTellers } satisfies {
  readonly [T in RunEvent["type"]]: Teller<T>;
};

/** Progress for `run`, `resume` and `watch`. The lead's text comes paragraph by paragraph as it is spoken, and only once. */
export function createProgress(options: ProgressOptions): Progress {
  const look = lookOf(options);
  const speech = new Speech();
  let lastAt: number | null = null;
  let spoken: Spoken | null = null;
  const show = (entry: Entry, at: number, agent: AgentId, snapshot: RunSnapshot | null): void => {
    for (const line of drawEntry(entry, { at, agent, role: roleOf(agent, snapshot, look) }, look)) options.write(line);
  };
  return {
    event(event, snapshot) {
      lastAt = event.at;
      const entry = tell(event, snapshot, look);
      const isSpeech = event.agent === "lead" && event.type === "model.completed";
      // A request that begins, fails or is asked again takes its provisional text with it.
      if (event.agent === "lead" && event.type.startsWith("model.") && !isSpeech) speech.begin();
      if (entry === null) return;
      if (!isSpeech) {
        show(entry, event.at, entry.agent ?? event.agent, snapshot);
        return;
      }
      spoken = { text: entry.text ?? "", at: event.at };
      const text = speech.rest(spoken.text);
      if (text !== "") show({ ...entry, text }, event.at, event.agent, snapshot);
    },
    live(agent, text) {
      // Before the first event there is no time to put before it; its turn is shown whole once it is committed.
      if (agent !== "lead" || lastAt === null) return;
      const paragraph = speech.hear(text);
      if (paragraph !== "") show({ head: "", text: paragraph }, lastAt, agent, null);
    },
    end(summary, snapshot) {
      for (const line of renderClosing(summary, snapshot, options, spoken)) options.write(line);
    },
  };
}

function tell(event: RunEvent, snapshot: RunSnapshot, look: Look): Entry | null {
  // A journal of a newer version may hold types that nobody here can tell.
  if (!Object.hasOwn(tellers, event.type)) return null;
  // The table pairs each type with its own teller; the compiler cannot follow that through the union.
  const teller = tellers[event.type] as (event: RunEvent, snapshot: RunSnapshot, look: Look) => Entry | null;
  return teller(event, snapshot, look);
}

function roleOf(agent: AgentId, snapshot: RunSnapshot | null, look: Look): string {
  return look.line(snapshot?.subagents.find(({ id }) => id === agent)?.role ?? "");
}

/** What the lead says in one turn: heard in pieces, shown in whole paragraphs, so that no order is cut in two on its way out. */
class Speech {
  #heard = "";
  /** How much of `#heard` was shown, as plain text and as it came. */
  #shown = "";
  #taken = 0;

  begin(): void {
    this.#heard = "";
    this.#shown = "";
    this.#taken = 0;
  }

  /** The paragraphs that `text` completes; empty while there are none. */
  hear(text: string): string {
    this.#heard += text;
    const end = this.#heard.lastIndexOf("\n\n");
    if (end <= this.#taken) return "";
    const part = plainText(this.#heard.slice(this.#taken, end)).trim();
    this.#taken = end;
    this.#shown = plainText(this.#heard.slice(0, end)).trim();
    return part;
  }

  /** What of the whole text was not shown yet; all of it when something else was shown before. */
  rest(whole: string): string {
    const isGoingOn = this.#shown !== "" && whole.startsWith(this.#shown);
    const left = isGoingOn ? whole.slice(this.#shown.length).trim() : whole;
    this.begin();
    return left;
  }
}
