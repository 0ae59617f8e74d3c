// Long work of the command line, told on a terminal while it goes on: a count where the amount is known.

import { progressWords } from "../../../shared/contract/progress.ts";
import type { Invocation } from "./invocation.ts";

/** Does `act`, and shows what its work tells of itself until it has ended. */
export async function showProgress<T>({ workbench, output }: Invocation, act: () => Promise<T>): Promise<T> {
  const { progress } = workbench;
  const unfollow = progress.onChange(() => {
    const { works } = progress.current();
    output.progress(works.length === 0 ? null : works.map(progressWords).join(", "));
  });
  try {
    return await act();
  } finally {
    unfollow();
    output.progress(null);
  }
}
