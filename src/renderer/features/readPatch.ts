// A whole text from its pieces, or why not: never a part of it. Pure but for the reading that it is given.

import type { DiffPage } from "../../shared/contract/runPages.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";

/** Reads on from each piece's end. `read` is given the characters that are there already. */
export async function readPatch(read: (after: number) => Promise<Result<DiffPage>>): Promise<Result<string>> {
  let text = "";
  for (let after: number | null = 0; after !== null;) {
    const piece: Result<DiffPage> = await read(after);
    if (!piece.ok) return piece;
    text += piece.value.text;
    after = piece.value.next;
  }
  return succeed(text);
}
