// What `npm run crash -- …` takes.

import { parseArgs } from "node:util";

export interface Options {
  /** Names the points and orders that chance picks. */
  readonly seed: number;
  /** How long new rounds are begun, s. */
  readonly durationS: number;
  readonly isShort: boolean;
  readonly isSelfTest: boolean;
  /** Parts to run, by name; all without. */
  readonly only: readonly string[];
  /** Rounds side by side. */
  readonly width: number;
}

export const usage =
  "npm run crash -- [--seed N] [--duration SECONDS] [--width N] [--only PART]… [--short] [--self-test]";

/** Throws with what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      duration: { type: "string" },
      width: { type: "string" },
      only: { type: "string", multiple: true },
      short: { type: "boolean" },
      "self-test": { type: "boolean" },
    },
  });
  const isShort = values.short === true;
  return {
    seed: whole("--seed", values.seed) ?? 1,
    durationS: whole("--duration", values.duration) ?? (isShort ? 25 : 1_800),
    width: whole("--width", values.width) ?? 2,
    isShort,
    isSelfTest: values["self-test"] === true,
    only: values.only ?? [],
  };
}

function whole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Error(`${option} takes a whole number from 1, not ${text}.`);
  return number;
}
