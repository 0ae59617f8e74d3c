// The state of a run as its journal has it, for care that goes through many runs and passes over those that cannot be read.

import type { RunId } from "../../shared/contract/ids.ts";
import { fold } from "../domain/evolve.ts";
import type { RunState } from "../domain/state.ts";
import type { StorePort } from "../engine/ports/store.ts";

/** `null` for a journal that is empty or cannot be read. */
export async function storedState(store: StorePort, run: RunId): Promise<RunState | null> {
  try {
    return fold(await store.readJournal(run));
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
