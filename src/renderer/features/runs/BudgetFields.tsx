// What a new run may use: folded to a line that says it, with what it may cost at most.

import { ChevronRight } from "lucide-react";
import { useId } from "react";

import type { RepositoryConfiguration } from "../../../shared/contract/care.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import { formatLimit, formatMoney } from "../../ui/formats.ts";
import type { Draft } from "./order.ts";
import { useModelFacts } from "./useModelFacts.ts";

export interface BudgetFieldsProps {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly settings: Settings | null;
  /** What the repository bounds: it lowers what the settings say. */
  readonly ceilings: RepositoryConfiguration["ceilings"];
  /** What a run here usually costs, millionths of a US dollar; `null`: nobody knows. */
  readonly usualMicros: number | null;
}

export function BudgetFields({ draft, set, settings, ceilings, usualMicros }: BudgetFieldsProps) {
  const id = useId();
  const facts = useModelFacts(draft.baseUrl.trim(), draft.model.trim());
  const isPriced = facts === null ? null : facts.price !== null;
  const shown = limitsOf(draft, settings, ceilings);
  const fields = [
    ["money", "Money", "$", shown.money ?? "", isPriced === false ? "price not known" : ""],
    ["steps", "Turns", "", shown.steps ?? "no limit", ""],
    ["minutes", "Time", "min", shown.minutes ?? "no limit", ""],
  ] as const;
  return (
    <div className="field budget-field">
      <span className="field-label">Budget</span>
      <details>
        <summary>
          <ChevronRight size={13} aria-hidden="true" />
          <span>{sayBudget(shown, isPriced)}</span>
          {usualMicros !== null && (
            <span className="faint push">usual here: {formatMoney(usualMicros / 1_000_000)}</span>
          )}
        </summary>
        <div className="budget-row">
          {fields.map(([name, label, unit, usual, without]) => (
            <p key={name}>
              <label htmlFor={`${id}-${name}`}>{label}</label>
              <span className="number-field">
                <input
                  id={`${id}-${name}`}
                  inputMode="decimal"
                  value={draft[name]}
                  placeholder={without === "" ? usual : without}
                  disabled={without !== ""}
                  onChange={(event) => set({ [name]: event.currentTarget.value })}
                />
                {unit !== "" && <span className="faint">{unit}</span>}
              </span>
            </p>
          ))}
        </div>
      </details>
      <p className="margin-note">
        For the lead and all its subagents together. At the limit the run sums up and is marked partial.
      </p>
    </div>
  );
}

interface Shown {
  readonly money: string | null;
  readonly steps: string | null;
  readonly minutes: string | null;
}

/** As typed, or as in the run that is repeated, else as the settings have it where the repository has no less; `null`: no limit. */
function limitsOf(draft: Draft, settings: Settings | null, ceilings: RepositoryConfiguration["ceilings"]): Shown {
  const again = draft.rest === null ? null : { ...draft.rest.budget, wallMs: draft.rest.wallMs };
  const usual = settings?.run.budget;
  const held = (name: keyof typeof ceilings) =>
    again === null ? lower(usual?.[name] ?? null, ceilings[name] ?? null) : again[name];
  const typed = (text: string, value: number | null, unit = 1) =>
    text.trim() !== "" ? text.trim() : value === null ? null : String(value / unit);
  return {
    money: typed(draft.money, held("costMicros"), 1_000_000),
    steps: typed(draft.steps, held("steps")),
    minutes: typed(draft.minutes, held("wallMs"), 60_000),
  };
}

function lower(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

function sayBudget({ money, steps, minutes }: Shown, isPriced: boolean | null): string {
  const bounds = [
    ...(isPriced === true && money !== null ? [formatMoney(Number(money))] : []),
    ...(steps === null ? [] : [`${steps} turns`]),
    ...(minutes === null ? [] : [formatLimit(Number(minutes) * 60_000)]),
  ];
  const limits = bounds.length === 0 ? "No limit" : `Up to ${bounds.join(", ")}`;
  if (isPriced === true) return money === null ? `${limits}; money is not limited` : limits;
  return isPriced === null ? limits : `${limits}; the model’s price is not known, so money cannot be limited`;
}
