// Models whose answers are recorded, or played from a recording, with secrets left out of both.

import type { Result } from "../shared/lib/result.ts";
import { redact } from "./agents/redact.ts";
import type { ModelPort } from "./engine/ports/model.ts";
import { playCassette, recordCassette } from "./models/cassette.ts";
import { findFirstModel } from "./models/cassetteFile.ts";

/** Secrets stay out of cassettes; played ones are looked for in the same form. */
const cassetteOptions = { redact: (text: string) => redact(text).text };

/** `model`, with every finished request recorded in `file`. Codes: those of `recordCassette`. */
export function recordModel(model: ModelPort, file: string): Promise<Result<ModelPort>> {
  return recordCassette(model, file, cassetteOptions);
}

/** A model that answers from a cassette. Codes: those of `playCassette`. */
export function openCassette(file: string): Promise<Result<ModelPort>> {
  return playCassette(file, cassetteOptions);
}

/** The model that a cassette was recorded with, by its first request; `null` where the file says none. */
export function modelOfCassette(file: string): string | null {
  return findFirstModel(file);
}
