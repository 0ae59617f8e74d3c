// The list of runs, grouped by attention. One tab stop; arrow keys walk it and selection follows the focus.

import { Inbox, Plus } from "lucide-react";
import type { KeyboardEvent } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunListSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { CoppiceMark } from "../../ui/CoppiceMark.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { formatAge } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { describeRun, groupRuns } from "./attention.ts";
import type { RunGroup } from "./attention.ts";

export interface RunsRailProps {
  readonly snapshot: RunListSnapshot | null;
  readonly failure: Failure | null;
  readonly selected: RunId | null;
  readonly onSelect: (run: RunId) => void;
  /** Which of the other screens is shown. */
  readonly view: "run" | "inbox" | "new";
  readonly onView: (view: "inbox" | "new") => void;
}

export function RunsRail({ snapshot, failure, selected, onSelect, view, onView }: RunsRailProps) {
  const groups = groupRuns(snapshot?.runs ?? []);
  const askCount = snapshot?.runs.reduce((sum, run) => sum + run.needsYouCount, 0) ?? 0;
  return (
    <nav className="rail" aria-label="Runs" data-region="runs">
      <header className="rail-top">
        <CoppiceMark size={16} />
        <b>Coppice</b>
        <button
          type="button"
          className="btn push"
          aria-current={view === "new" ? "page" : undefined}
          onClick={() => onView("new")}
        >
          <Plus size={13} aria-hidden="true" /> New
          <span className="heard"> run</span>
        </button>
      </header>
      <button
        type="button"
        className="rail-link"
        aria-current={view === "inbox" ? "page" : undefined}
        onClick={() => onView("inbox")}
      >
        <Inbox size={14} aria-hidden="true" /> Inbox
        {askCount > 0 && <b className="fig">{askCount}</b>}
        {askCount > 0 && <span className="heard">open</span>}
      </button>
      {failure !== null && <Notice title="The runs could not be read" message={failure.message} code={failure.code} />}
      {groups.length > 0 && <RunList groups={groups} selected={selected} onSelect={onSelect} />}
    </nav>
  );
}

interface RunListProps {
  readonly groups: readonly RunGroup[];
  readonly selected: RunId | null;
  readonly onSelect: (run: RunId) => void;
}

function RunList({ groups, selected, onSelect }: RunListProps) {
  const now = useNow(10_000);
  const runs = groups.flatMap((group) => group.runs);
  // The one that Tab reaches: the selected one, or the first while the selected one is not in the list.
  const reached = runs.find(({ run }) => run === selected) ?? runs[0];

  function walk(event: KeyboardEvent<HTMLElement>): void {
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')];
    const next =
      options[
        stepTo(
          event.key,
          options.findIndex((option) => option === document.activeElement),
          options.length,
        )
      ];
    const run = runs[next === undefined ? -1 : options.indexOf(next)]?.run;
    if (next === undefined || run === undefined) return;
    event.preventDefault();
    next.focus();
    onSelect(run);
  }

  return (
    <div className="rail-list" role="listbox" aria-label="Runs by attention" tabIndex={-1} onKeyDown={walk}>
      {groups.map(({ attention, label, runs: members }) => (
        <div key={attention} role="group" aria-label={`${label}, ${members.length}`} data-attention={attention}>
          <div className="rail-group" aria-hidden="true">
            {label}
            <span className="fig">{members.length}</span>
          </div>
          {members.map((item) => (
            <RunRow
              key={item.run}
              item={item}
              now={now}
              isSelected={item.run === selected}
              isReached={item === reached}
              onSelect={onSelect}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface RunRowProps {
  readonly item: RunListItem;
  readonly now: number;
  readonly isSelected: boolean;
  readonly isReached: boolean;
  readonly onSelect: (run: RunId) => void;
}

function RunRow({ item, now, isSelected, isReached, onSelect }: RunRowProps) {
  const { shape, word } = describeRun(item);
  return (
    // The list above walks by key for all of its options.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="run"
      role="option"
      aria-selected={isSelected}
      tabIndex={isReached ? 0 : -1}
      onClick={() => onSelect(item.run)}
    >
      <span className="run-title">{item.title}</span>
      <span className="run-under">
        <Mark shape={shape} word={word} />
        <span className="one faint">{repoName(item.repo)}</span>
      </span>
      <span className="run-age fig">{formatAge(item.createdAt, now)}</span>
    </div>
  );
}

/** The last part of the repository's path: what people call it. */
export function repoName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

/** Where `key` leads from `at` (`-1`: nowhere yet); `-1` for a key that does not walk. */
function stepTo(key: string, at: number, length: number): number {
  if (key === "ArrowDown") return Math.min(at + 1, length - 1);
  if (key === "ArrowUp") return Math.max(at - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  return -1;
}
