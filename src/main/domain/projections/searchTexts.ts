// What of an event can be searched for: the words that people and agents have said, and the names of files that changed.
// Pure; long texts are cut, so that one output does not fill the index.

import type { RunEvent } from "../events.ts";

export interface SearchText {
  readonly kind: "title" | "transcript" | "file";
  /** What it is, in words. */
  readonly where: string;
  readonly text: string;
}

/** Characters of one text that are looked at. */
const maxLength = 12_000;

/** The texts of one event, in the order in which they stand in it. */
export function searchTextsOf(event: RunEvent): readonly SearchText[] {
  return textsOf(event)
    .filter(({ text }) => text.trim() !== "")
    .map((one) => (one.text.length <= maxLength ? one : { ...one, text: one.text.slice(0, maxLength) }));
}

function textsOf(event: RunEvent): readonly SearchText[] {
  switch (event.type) {
    case "run.created":
      return [title(event.data.title), said("the task", event.data.task)];
    case "run.renamed":
      return [title(event.data.title)];
    case "input.received":
      return [said("a message", event.data.text)];
    case "note.added":
      return [said("a note", event.data.text)];
    case "model.completed":
      return [said("what it said", event.data.text)];
    case "handoff.recorded":
      return [said("a packet", [event.data.title, event.data.task].join("\n"))];
    case "tool.dispatched":
      return [said(event.data.tool, JSON.stringify(event.data.input))];
    case "tool.settled":
    case "tool.answered":
      return [said(`an answer of ${event.data.tool}`, event.data.output)];
    case "subagent.result":
      return [said("the result", event.data.result.answer)];
    case "verification.ran":
      return [said(`the check ${event.data.command}`, event.data.output)];
    case "run.stopped":
      return [said("the answer", event.data.answer)];
    case "changeset.proposed":
      return event.data.files.map(({ path }) => ({
        kind: "file",
        where: `changed in ${event.data.changeset}`,
        text: path,
      }));
    default:
      return [];
  }
}

function title(text: string): SearchText {
  return { kind: "title", where: "the title", text };
}

function said(where: string, text: string): SearchText {
  return { kind: "transcript", where, text };
}
