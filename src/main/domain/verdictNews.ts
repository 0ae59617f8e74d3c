// What a lead is told of opposite verdicts, before whichever turn it takes next: those that were found, and what a person
// has made of them. Told once.

import { openConflicts, settledVerdict, sideSentences } from "./verdictConflicts.ts";
import type { ApprovalState, RunState } from "./state.ts";

/** The news since the lead was last told anything; `null`: none. */
export function conflictNews(state: RunState): string | null {
  const found = openConflicts(state)
    .filter(({ n }) => n > state.lead.toldN)
    .map((conflict) => {
      const blocked = conflict.steps.length === 0 ? "" : ` ${conflict.steps.join(" and ")} cannot be done until then.`;
      return `On ${JSON.stringify(conflict.criterion)}, for one tree, ${sideSentences(conflict).join(" and ")}. That is for a person to settle, and no further opinion on that tree does; a change of it is verified anew.${blocked} Go on with other work.`;
    });
  const decided = decidedSince(state).map(({ conflict, by }) => {
    const verdict = conflict === null ? null : settledVerdict(state, conflict);
    const criterion = JSON.stringify(conflict?.criterion ?? "");
    return verdict === null
      ? `Nobody chose between the verdicts on ${criterion} (${by ?? "nobody"}): say in your answer that it is open.`
      : `The verdicts on ${criterion} were opposite; ${by ?? "a person"} says that it ${verdict}.`;
  });
  const news = [...found, ...decided];
  return news.length === 0 ? null : news.join("\n");
}

/** Questions about opposite verdicts that were decided since the lead was last told anything. */
export function decidedSince({ approvals, lead }: RunState): readonly ApprovalState[] {
  return approvals.filter(
    ({ kind, status, decidedN }) => kind === "reconcile" && status === "decided" && decidedN > lead.toldN,
  );
}

/** Why a run stops unreconciled, and how somebody goes on with it. */
export function unreconciledWords(state: RunState): string {
  const open = openConflicts(state).map(
    (conflict) => `on ${JSON.stringify(conflict.criterion)} ${sideSentences(conflict).join(" and ")}`,
  );
  const what = open.length === 0 ? "Opposite verdicts were not settled" : `Nobody settled that ${open.join("; ")}`;
  return `${what}. A message to the run continues it, and then the question is asked anew.`;
}
