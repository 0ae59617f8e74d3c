// How the models that are set up stand, in a few words. Pure.

import { countOf } from "../../ui/formats.ts";

/** Counts of models: on servers of this computer, in all, and of the former those that answer (`null`: not asked yet). */
export interface ModelCounts {
  readonly here: number;
  readonly all: number;
  readonly answering: number | null;
}

export function modelsWords({ here, all, answering }: ModelCounts): string {
  if (all === 0) return "No model yet";
  if (here === 0) return `${countOf(all, "model")} elsewhere`;
  if (answering === null) return countOf(all, "model");
  const verb = answering === 1 ? "answers" : "answer";
  const elsewhere = all - here;
  if (elsewhere > 0) return `${saidOf(answering, here)} ${verb}, ${elsewhere} elsewhere`;
  return answering < here ? `${answering} of ${countOf(here, "model")} ${verb}` : `${countOf(here, "model")} ${verb}`;
}

function saidOf(answering: number, here: number): string {
  return answering < here ? `${answering} of ${here}` : `${here}`;
}
