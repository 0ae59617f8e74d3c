// What a run has used of its nearest limit and what is held for subagents: a bar, and the same in figures.

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { formatMoney } from "../../ui/formats.ts";
import { doubtWords, pictureBudget } from "./budget.ts";

export function BudgetBar({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { used, held, limit, unit, usedShare, heldShare } = pictureBudget(snapshot);
  const { costUsd, doubted } = snapshot;
  const isMoney = unit === "";
  return (
    <span className="budget fig">
      {!isMoney && costUsd !== null && <b>{formatMoney(costUsd)}</b>}
      {isMoney && costUsd === null ? (
        <span>cost unknown</span>
      ) : (
        <span>
          <b>{used}</b> {isMoney ? "spent" : unit}
          {heldShare > 0 && `, ${held} held`}
        </span>
      )}
      {limit !== null && (
        <>
          <span className="budget-bar" aria-hidden="true">
            <i style={{ width: `${usedShare * 100}%` }} />
            <i className="budget-held" style={{ left: `${usedShare * 100}%`, width: `${heldShare * 100}%` }} />
          </span>
          of {limit}
        </>
      )}
      {doubted !== undefined && <b title={doubtWords(doubted)}>by estimate</b>}
    </span>
  );
}
