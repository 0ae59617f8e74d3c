// The third of the first steps: what is asked before, in plain words. It holds for new runs, and each may say otherwise.

import type { ApprovalMode, CommandMode } from "../../../shared/contract/options.ts";
import { Notice } from "../../ui/Notice.tsx";
import { useSettingsEdit } from "../useSettings.ts";

const changes: readonly (readonly [ApprovalMode, string, string])[] = [
  [
    "each",
    "Show me every change first",
    "Nothing reaches a branch of yours before you have seen the diff and approved it.",
  ],
  [
    "final",
    "Show me everything once, at the end",
    "Changes collect on a branch of the run. One review decides what of them reaches yours.",
  ],
  [
    "auto",
    "Let checked changes land",
    "A change lands by itself when your checks pass, it stays within what was asked, and it touches no protected file. Anything else asks.",
  ],
];

const commands: readonly (readonly [CommandMode, string, string])[] = [
  ["ask", "Ask before a command runs", "You allow it once, for the run, or for the repository from then on."],
  [
    "allow",
    "Let commands run, confined",
    "Each sees its own worktree and no network. Where that cannot be had, it asks.",
  ],
  ["deny", "No commands", "Agents read and write; the checks that you name still run."],
];

export function HowMuch() {
  const { settings, change, failure } = useSettingsEdit();
  if (settings === null) return null;
  const { run } = settings;
  return (
    <div className="how-much">
      <p className="quiet">Agents work in copies of your repository. This is about what leaves them.</p>
      <Ways
        legend="What they write"
        name="first-changes"
        ways={changes}
        chosen={run.approve}
        onChoose={(approve) => void change({ run: { ...run, approve } })}
      />
      <Ways
        legend="What they run"
        name="first-commands"
        ways={commands}
        chosen={run.commands}
        onChoose={(mode) => void change({ run: { ...run, commands: mode } })}
      />
      {failure !== null && <Notice title="Not kept" message={failure.message} code={failure.code} />}
    </div>
  );
}

interface WaysProps<Name extends string> {
  readonly legend: string;
  readonly name: string;
  readonly ways: readonly (readonly [Name, string, string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

function Ways<Name extends string>({ legend, name, ways, chosen, onChoose }: WaysProps<Name>) {
  return (
    <fieldset className="step-ways">
      <legend>{legend}</legend>
      <div>
        {ways.map(([value, title, meaning]) => (
          <label key={value} data-chosen={value === chosen}>
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <b>{title}</b>
            <span>{meaning}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
