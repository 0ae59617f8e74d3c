// Says in what a request differs from the recording that comes nearest to it. Pure.

import { canonicalJson } from "../../shared/lib/json.ts";
import type { ToolOffer } from "../engine/ports/model.ts";
import type { Content, ContentMessage } from "./cassetteContent.ts";
import type { Cassette, Recording } from "./cassetteFile.ts";
import { refsOf } from "./cassetteContent.ts";

const charsBefore = 30;
const charsAfter = 50;

/** The sentences for a request that no recording of the cassette matches. */
export function explainMismatch(content: Content, cassette: Cassette): string {
  const nearest = findNearest(content, cassette);
  if (nearest === null) return `${cassette.file} holds no recording.`;
  const { recording, inCommon } = nearest;
  const recorded = contentOfRecording(recording, cassette);
  const differences = [
    ...(content.model === recorded.model ? [] : [`the model is ${content.model}, recorded ${recorded.model}`]),
    ...describeMessages(content.messages, recorded.messages, inCommon),
    ...describeTools(content.tools, recorded.tools),
  ];
  return `No recording in ${cassette.file} matches this request. It differs from the nearest, line ${recording.line}: ${differences.join("; ")}.`;
}

function contentOfRecording(recording: Recording, { messages, tools }: Cassette): Content {
  return {
    model: recording.model,
    messages: recording.messages.flatMap((hash) => messages.get(hash) ?? []),
    tools: tools.get(recording.tools) ?? [],
  };
}

interface Nearest {
  readonly recording: Recording;
  /** Messages from the start that are equal. */
  readonly inCommon: number;
  /** Characters from the start that are equal in the first message that differs. */
  readonly chars: number;
}

/** Most messages in common from the start, then most characters of the first that differs; of equals the first recorded. */
function findNearest(content: Content, cassette: Cassette): Nearest | null {
  const refs = refsOf(content);
  let nearest: Nearest | null = null;
  for (const recording of cassette.recordings) {
    const inCommon = commonLength(refs.messages, recording.messages);
    if (nearest !== null && inCommon < nearest.inCommon) continue;
    const [ours, theirs] = [content.messages[inCommon], cassette.messages.get(recording.messages[inCommon] ?? "")];
    const chars = ours && theirs ? commonLength(render(ours), render(theirs)) : 0;
    if (nearest === null || inCommon > nearest.inCommon || chars > nearest.chars)
      nearest = { recording, inCommon, chars };
  }
  return nearest;
}

/** How many places from the start on are equal. */
function commonLength<T>(left: ArrayLike<T>, right: ArrayLike<T>): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}

/** `at` is the place of the first message that differs. */
function describeMessages(
  ours: readonly ContentMessage[],
  theirs: readonly ContentMessage[],
  at: number,
): readonly string[] {
  const [our, their] = [ours[at], theirs[at]];
  if (our && their) return [describePair(at + 1, our, their)];
  if (our)
    return [`it goes on with message ${at + 1} (${our.role}) ${excerpt(render(our), 0)}, where the recording ends`];
  if (their)
    return [
      `it ends after message ${at}, where the recording goes on with (${their.role}) ${excerpt(render(their), 0)}`,
    ];
  return [];
}

function describePair(number: number, our: ContentMessage, their: ContentMessage): string {
  if (our.role !== their.role) return `message ${number} is of role ${our.role}, recorded ${their.role}`;
  const [text, recorded] = [render(our), render(their)];
  const at = commonLength(text, recorded);
  return `message ${number} (${our.role}) differs at character ${at + 1}: ${excerpt(text, at)}, recorded ${excerpt(recorded, at)}`;
}

/** A message as one text, in which every difference but that of the role shows. */
function render({ text, calls = [], answers }: ContentMessage): string {
  const called = calls.map((call) => `[call ${call.name} ${call.arguments}]`);
  const answered = answers === undefined ? "" : `[answer to call ${answers ?? "unknown"}] `;
  return [`${answered}${text}`, ...called].join("\n");
}

/** A little of `text` around place `at`, on one line, in quotation marks. */
function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - charsBefore);
  const end = Math.min(text.length, at + charsAfter);
  const part = text.slice(start, end).toWellFormed().replace(/\s+/g, " ");
  return `"${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}"`;
}

function describeTools(ours: readonly ToolOffer[], theirs: readonly ToolOffer[]): readonly string[] {
  const [offered, recorded] = [byName(ours), byName(theirs)];
  const added = [...offered.keys()].filter((name) => !recorded.has(name));
  const gone = [...recorded.keys()].filter((name) => !offered.has(name));
  const changed = [...offered].flatMap(([name, tool]) => {
    const other = recorded.get(name);
    return other !== undefined && other !== tool ? [name] : [];
  });
  const isReordered = [...offered.keys()].join() !== [...recorded.keys()].join();
  const told = [
    ...(added.length > 0 ? [`tools offered that were not when it was recorded: ${added.join(", ")}`] : []),
    ...(gone.length > 0 ? [`tools not offered any more: ${gone.join(", ")}`] : []),
    ...(changed.length > 0 ? [`tools described otherwise: ${changed.join(", ")}`] : []),
  ];
  return told.length === 0 && isReordered ? ["the tools come in another order"] : told;
}

function byName(tools: readonly ToolOffer[]): ReadonlyMap<string, string> {
  return new Map(tools.map((tool) => [tool.name, canonicalJson(tool)]));
}
