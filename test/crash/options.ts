// What `npm run crash -- …` takes.

import { parseArgs } from "node:util";

export interface Options {
  /** Names the points and orders that chance picks. */
  readonly seed: number;
  /** How long new rounds are begun, s. */
  readonly durationS: number;
  readonly isShort: boolean;
  /** Not short, and not made shorter than it is by itself. */
  readonly isFull: boolean;
  readonly isSelfTest: boolean;
  /** Parts to run, by name; all without. */
  readonly only: readonly string[];
  /** Rounds side by side. */
  readonly width: number;
}

export const usage =
  "npm run crash -- [--seed N] [--duration SECONDS] [--width N] [--only PART]… [--short] [--self-test]";

/** Of the full form, s: time enough for 200 kills on two processors. */
const fullS = 1_200;
const shortS = 25;

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
  const durationS = whole("--duration", values.duration) ?? (isShort ? shortS : fullS);
  return {
    seed: whole("--seed", values.seed) ?? 1,
    durationS,
    width: whole("--width", values.width) ?? 2,
    isShort,
    isFull: !isShort && durationS >= fullS,
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
