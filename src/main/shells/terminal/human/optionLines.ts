// The options that hold of a run, as a person reads them below its tree.

import type { RunOptions } from "../../../../shared/contract/options.ts";
import { optionWords } from "../../../domain/projections/optionWords.ts";
import { wrapFacts } from "./layout.ts";
import { lookOf, type LookOptions } from "./look.ts";
import { paint } from "./style.ts";

/** One or more dim lines, at most `columns` wide. `target`: the branch that the run lands on, by its short name. */
export function renderOptions(options: RunOptions, target: string, given: LookOptions): readonly string[] {
  const look = lookOf(given);
  const words = optionWords({ options, target: { branch: target } }).map((word) => look.line(word));
  return wrapFacts(words, look.columns, look.signs.dot).map((line) => paint(look.style, "dim", line));
}
