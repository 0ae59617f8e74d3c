// Tool calls put together from fragments. Servers disagree on index, id and name; the rules here decide which fragment
// belongs to which call. Arguments are joined as they came, never repaired.

import type { ToolCall } from "../domain/records.ts";
import type { CallFragment } from "./chunk.ts";

/** A call that is being built. Empty `id` or `name`: not seen yet. */
export interface PartialCall {
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** Whether `text` is one whole JSON object: what arguments are when they are complete. */
export function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  // Looked at first, so that a long text is not parsed again with each of its fragments.
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return false;
  return isJson(trimmed);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a call may still be growing: it lacks its name, or its arguments are begun and are not JSON yet. */
export function isHalfBuilt(call: PartialCall): boolean {
  return call.name === "" || (call.arguments.trim() !== "" && !isJson(call.arguments));
}

/** Adds one fragment to `calls`, in place: to the call it continues, or as a new one. */
export function addFragment(calls: PartialCall[], fragment: CallFragment): void {
  const id = fragment.id ?? "";
  const name = fragment.function?.name ?? "";
  const text = fragment.function?.arguments ?? "";
  const index = fragment.index ?? null;
  const call = findContinued(calls, { index, id, name, text });
  if (call === undefined) {
    calls.push({ index, id, name, arguments: text });
    return;
  }
  if (call.id === "") call.id = id;
  // A name is set, not appended: some servers repeat it with every fragment. One that only grew replaces the shorter.
  if (name.startsWith(call.name)) call.name = name;
  const isResent = text === call.arguments && isWholeObject(text);
  if (!isResent) call.arguments += text;
}

interface Piece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function findContinued(calls: readonly PartialCall[], piece: Piece): PartialCall | undefined {
  const sameId = piece.id === "" ? undefined : calls.findLast((call) => call.id === piece.id);
  if (sameId !== undefined) return isRepeatedId(sameId, piece) ? undefined : sameId;
  const candidate = piece.index === null ? calls.at(-1) : calls.findLast((call) => call.index === piece.index);
  if (candidate === undefined) return undefined;
  return startsAnother(candidate, piece) ? undefined : candidate;
}

/** Two calls under one id: told apart by their index, or by a name after complete arguments. */
function isRepeatedId(call: PartialCall, piece: Piece): boolean {
  if (piece.name === "" || !isWholeObject(call.arguments)) return false;
  if (piece.index !== null && piece.index === call.index) return false;
  return piece.index !== null || (piece.text !== "" && piece.text !== call.arguments);
}

/** A new id, or a new name after complete arguments, starts another call, whatever the index says. */
function startsAnother(call: PartialCall, piece: Piece): boolean {
  if (piece.id !== "" && call.id !== "") {
    // An id that changes with every fragment, without a name, is still the same unfinished call.
    return piece.name !== "" || isWholeObject(call.arguments);
  }
  if (piece.name === "" || call.name === "") return false;
  const isWhole = isWholeObject(call.arguments);
  const isOther = !piece.name.startsWith(call.name);
  return isOther ? isWhole || call.arguments === "" : isWhole && piece.text !== "";
}

/** The calls as they are handed on: in order of appearance, each with an id that is neither in `taken` nor given twice. */
export function nameCalls(calls: readonly PartialCall[], taken: ReadonlySet<string>): readonly ToolCall[] {
  const used = new Set(taken);
  return calls.map((call, position) => {
    const id = freeId(call.id === "" ? `call_${taken.size + position + 1}` : call.id, used);
    used.add(id);
    return { id, name: call.name, arguments: call.arguments };
  });
}

function freeId(wanted: string, used: ReadonlySet<string>): string {
  if (!used.has(wanted)) return wanted;
  let copy = 2;
  while (used.has(`${wanted}_${copy}`)) copy += 1;
  return `${wanted}_${copy}`;
}
