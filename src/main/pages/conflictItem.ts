// Opposite verdicts as a page shows them: who said what of which tree, bounded.

import type { ConflictItem } from "../../shared/contract/runPages.ts";
import type { VerdictConflict } from "../domain/records.ts";
import { clipAll, excerptOf } from "./fit.ts";

const maxSides = 12;
const maxSteps = 20;

export function conflictItem({ criterion, tree, steps, sides }: VerdictConflict): ConflictItem {
  return {
    criterion: excerptOf(criterion, 400),
    tree,
    steps: clipAll(steps, maxSteps, 100),
    sides: sides.slice(0, maxSides).map(({ by, role, verdict, evidence, event, changeset = null }) => ({
      by,
      role,
      verdict,
      evidence: excerptOf(evidence, 600),
      event,
      changeset,
    })),
  };
}
