// Brings the data of an event that an older build wrote into today's shape, on reading. Rows on disk are never rewritten.

import { versionOf } from "../domain/events.ts";
import type { EventType } from "../domain/events.ts";
import type { Json } from "../../shared/lib/json.ts";
import { StoreError } from "./failure.ts";

/** Takes the data of one version to the next. */
export type Step = (data: Json) => Json;

/** `steps["tool.settled"][1]` takes version 1 of that type to version 2. Every type is at version 1 today, so it is empty. */
const steps: { readonly [type: string]: { readonly [from: number]: Step } } = {};

/** Today's shape of `data`, which was written as `version` of `type`. Throws `STORE_TOO_NEW` for a version that only a newer build knows. */
export function modernize(
  type: string,
  version: number,
  data: Json,
  table = steps,
  current = versionOf(type as EventType),
): Json {
  if (version > current) {
    throw new StoreError({
      code: "STORE_TOO_NEW",
      message: `An event of type ${type} was written in version ${version}; this build reads up to ${current}. Update Coppice to read this run.`,
    });
  }
  let modern = data;
  for (let from = version; from < current; from += 1) {
    const step = table[type]?.[from];
    if (!step) throw new Error(`modernize has no step from version ${from} of ${type}`);
    modern = step(modern);
  }
  return modern;
}
