// Decisions, cancels, messages and notes that another process left for the holder of a run. Each is taken in the transaction
// that appends its events, so that it is carried out once or not at all.

import type { Json } from "../../shared/lib/json.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { Command } from "../domain/commands.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { ForeignRequest, StorePort } from "./ports/store.ts";

/** What may be asked of whoever drives a run. */
export type ForeignCommand = Extract<
  Command,
  {
    readonly type:
      | "run.cancel"
      | "run.pause"
      | "run.resume"
      | "run.rename"
      | "run.input"
      | "note.add"
      | "note.retract"
      | "approval.decide";
  }
>;

const foreignTypes: readonly string[] = [
  "run.cancel",
  "run.pause",
  "run.resume",
  "run.rename",
  "run.input",
  "note.add",
  "note.retract",
  "approval.decide",
] satisfies readonly ForeignCommand["type"][];

/** What the holder answered: done, or why not. */
export type RequestAnswer = { readonly done: true } | { readonly done: false; readonly error: Failure };

/** Serves requests for this run while it is held. Returns the way to stop. */
export function serveRequests(store: StorePort, dispatcher: Dispatcher): () => void {
  const served = new Set<number>();
  const look = async () => {
    for (const request of await store.openRequests(dispatcher.run)) {
      if (served.has(request.id)) continue;
      served.add(request.id);
      await serve(dispatcher, request);
    }
  };
  const lookNow = () => {
    // A look that fails is made again with the next commit from elsewhere; a broken store breaks the dispatcher itself.
    look().catch(() => undefined);
  };
  lookNow();
  return store.onForeignCommit(lookNow);
}

async function serve(dispatcher: Dispatcher, request: ForeignRequest): Promise<void> {
  const takes = (rejection: Failure | null) => [
    { request: request.id, answer: answerOf(rejection) as unknown as Json },
  ];
  await dispatcher.dispatch(commandFor(request), takes);
}

function answerOf(rejection: Failure | null): RequestAnswer {
  return rejection === null ? { done: true } : { done: false, error: rejection };
}

/** The command in a request. Written by `askHolder` of this very version; of what another version wrote only a known type is taken for a command. */
function commandFor(request: ForeignRequest): Command {
  const command = request.body as unknown as ForeignCommand;
  if (!foreignTypes.includes(command.type))
    throw new Error(`Request ${request.id} asks for ${command.type}, which this version does not know`);
  return { ...command, commandId: `request-${request.id}` };
}

/** How long a caller waits for the holder before it withdraws. */
export const holderMs = 10_000;

/** Leaves a request for whoever drives the run and waits for the answer; withdraws after 10 s, and whichever comes first decides. `null`: it was not taken in time. */
export async function askHolder(
  store: StorePort,
  run: ForeignRequest["run"],
  command: ForeignCommand,
  waitMs: (ms: number) => Promise<void>,
): Promise<RequestAnswer | null> {
  const id = await store.putRequest(run, command.type, command);
  for (let waited = 0; waited < holderMs; waited += 100) {
    const state = await store.findRequest(id);
    if (state.state === "taken") return state.answer as unknown as RequestAnswer;
    await waitMs(100);
  }
  if (await store.withdrawRequest(id)) return null;
  const late = await store.findRequest(id);
  return late.state === "taken" ? (late.answer as unknown as RequestAnswer) : null;
}
