// The first line that a program prints, such as where it can be found.

import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Rejects where none has come within `limitMs`. */
export async function firstLineOf(output: Readable, limitMs: number): Promise<string> {
  const signal = AbortSignal.timeout(limitMs);
  const [line] = (await once(createInterface({ input: output }), "line", { signal })) as [string];
  return line;
}
