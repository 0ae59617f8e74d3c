// How long an answer may take: one table for whoever gives it and whoever waits for it.

import type { ClientRequest } from "./channels.ts";

const usualMs = 10_000;
/** It may wait 10 s for the process that drives its run. */
const commandMs = 14_000;
/** A dialog may stand open for as long as the person likes: it is in sight. */
const dialogMs = 600_000;
/** Takes time in proportion to the journal, for which its thread has half an hour. */
const careMs = 31 * 60_000;

const pagesMs: { readonly [kind: string]: number } = {
  // A model may have to be loaded before it can answer.
  modelTest: 70_000,
  serverModels: 12_000,
  doctor: careMs,
  runCheck: careMs,
};
const commandsMs: { readonly [type: string]: number } = {
  backUp: careMs,
  exportRun: careMs,
  importRun: careMs,
  cleanUp: careMs,
};

/** Milliseconds that the application gives itself for an answer. Who waits for it over a wire waits a little longer. */
export function answerLimitOf({ channel, body }: ClientRequest): number {
  switch (channel) {
    case "page/read":
      return pagesMs[body.kind] ?? usualMs;
    case "command/execute":
      return commandsMs[body.command.type] ?? commandMs;
    case "host/call":
      return body.kind === "describe" ? usualMs : dialogMs;
    case "topic/subscribe":
    case "topic/unsubscribe":
    case "content/read":
      return usualMs;
  }
}
