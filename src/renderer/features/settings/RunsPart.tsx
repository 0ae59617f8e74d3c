// What new runs begin with: how much side by side, and how much of everything. Each run may say otherwise.

import type { Settings } from "../../../shared/contract/settings.ts";
import { NumberField, SettingRow, Toggle } from "./SettingFields.tsx";
import type { PartProps } from "./part.ts";

type Run = Settings["run"];
type Limit = "maxConcurrent" | "maxExecutors" | "maxSubagents" | "maxChain" | "leadSteps";

const limits: readonly (readonly [name: Limit, label: string, max: number, note: string])[] = [
  ["maxConcurrent", "Subagents at once", 100, "More wait, and say that they wait for a slot."],
  ["maxExecutors", "Of them writers", 100, "Each in a worktree of its own."],
  ["maxSubagents", "Subagents in all", 1_000, "Over the whole run."],
  ["maxChain", "Longest chain", 100, "How many may wait for one another in a row."],
  ["leadSteps", "Turns of the lead", 100_000, "Its last one is for summing up."],
];

const minuteMs = 60_000;

export function RunsPart({ settings, change }: PartProps) {
  const { run } = settings;
  const set = (changes: Partial<Run>) => void change({ run: { ...run, ...changes } });
  const spend = (changes: Partial<Run["budget"]>) => set({ budget: { ...run.budget, ...changes } });
  return (
    <>
      <p className="quiet">New runs begin with these, in the window and where the command line names nothing else.</p>
      <h3>Side by side</h3>
      {limits.map(([name, label, max, note]) => (
        <SettingRow key={name} label={label} note={note}>
          {(id) => (
            <NumberField
              id={id}
              value={run[name]}
              max={max}
              onCommit={(value) => value !== null && set({ [name]: value })}
            />
          )}
        </SettingRow>
      ))}
      <BudgetPart budget={run.budget} onChange={spend} />
      <h3>After a crash</h3>
      <Toggle
        label="Runs go on by themselves"
        note="One whose window or server died goes on at the next start, once within the hour. Otherwise it is brought in order and left paused, and says so."
        isOn={settings.recovery.autoResume}
        onChange={(autoResume) => void change({ recovery: { autoResume } })}
      />
    </>
  );
}

interface BudgetPartProps {
  readonly budget: Run["budget"];
  readonly onChange: (changes: Partial<Run["budget"]>) => void;
}

function BudgetPart({ budget, onChange: spend }: BudgetPartProps) {
  return (
    <>
      <h3>Budget of a run</h3>
      <p className="faint small">
        For the lead and all its subagents together. At four fifths a run is warned; at the end it sums up and is marked
        partial.
      </p>
      <SettingRow label="Money" note="Where the model’s price is known.">
        {(id) => (
          <NumberField
            id={id}
            value={budget.costMicros === null ? null : budget.costMicros / 1_000_000}
            unit="$"
            min={0.01}
            max={1_000_000}
            mayBeEmpty
            isFraction
            onCommit={(usd) => spend({ costMicros: usd === null ? null : Math.round(usd * 1_000_000) })}
          />
        )}
      </SettingRow>
      <SettingRow label="Turns">
        {(id) => <NumberField id={id} value={budget.steps} mayBeEmpty onCommit={(steps) => spend({ steps })} />}
      </SettingRow>
      <SettingRow label="Time">
        {(id) => (
          <NumberField
            id={id}
            value={budget.wallMs === null ? null : Math.round(budget.wallMs / minuteMs)}
            unit="minutes"
            mayBeEmpty
            max={100_000}
            onCommit={(minutes) => spend({ wallMs: minutes === null ? null : minutes * minuteMs })}
          />
        )}
      </SettingRow>
      <SettingRow label="Tool calls">
        {(id) => (
          <NumberField id={id} value={budget.toolCalls} mayBeEmpty onCommit={(toolCalls) => spend({ toolCalls })} />
        )}
      </SettingRow>
      <SettingRow label="Tokens in">
        {(id) => (
          <NumberField
            id={id}
            value={budget.inputTokens}
            mayBeEmpty
            onCommit={(inputTokens) => spend({ inputTokens })}
          />
        )}
      </SettingRow>
      <SettingRow label="Tokens out">
        {(id) => (
          <NumberField
            id={id}
            value={budget.outputTokens}
            mayBeEmpty
            onCommit={(outputTokens) => spend({ outputTokens })}
          />
        )}
      </SettingRow>
    </>
  );
}
