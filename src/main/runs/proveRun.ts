// Whether a run's journal is whole, in words for whoever was about to use it. Damage and a disk that cannot be read are told
// apart: the one is the run's, the other says nothing of it.

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { StoreError, toFailure } from "../store/failure.ts";

/** `so`: what is done about damage, as the sentence goes on after "is damaged". Codes `JOURNAL_DAMAGED`, `STORE_UNAVAILABLE`. */
export async function proveRun(
  store: Pick<StorePort, "verifyRun">,
  run: RunId,
  so = " and is left as it is",
): Promise<Result<null>> {
  try {
    const [damage, ...more] = await store.verifyRun(run);
    if (damage === undefined) return succeed(null);
    const others = more.length > 0 ? ` (and ${more.length} more)` : "";
    return fail({
      code: "JOURNAL_DAMAGED",
      message: `The journal of ${run} is damaged${so}: ${damage}${others}. coppice doctor lists all of it.`,
    });
  } catch (error) {
    if (error instanceof StoreError) return fail(toFailure(error));
    throw error;
  }
}
