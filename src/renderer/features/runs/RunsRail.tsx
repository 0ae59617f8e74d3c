// The list of runs, grouped by attention. One tab stop; arrow keys walk it and selection follows the focus.

import { Inbox, Pin, Plus, Search, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { KeyboardEvent } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunListSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { CoppiceMark } from "../../ui/CoppiceMark.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { countOf, formatAge } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { AgentStrip } from "./AgentStrip.tsx";
import { RunFilter } from "./RunFilter.tsx";
import { attentionOf, describeRun, findRuns, groupRuns } from "./attention.ts";
import type { RunGroup } from "./attention.ts";

export interface RunsRailProps {
  readonly snapshot: RunListSnapshot | null;
  readonly failure: Failure | null;
  readonly selected: RunId | null;
  readonly onSelect: (run: RunId) => void;
  /** Which of the other screens is shown. */
  readonly view: string;
  readonly onView: (view: "inbox" | "new" | "search" | "settings") => void;
}

export function RunsRail({ snapshot, failure, selected, onSelect, view, onView }: RunsRailProps) {
  const [sought, setSought] = useState("");
  const runs = snapshot?.runs ?? [];
  const olderCount = snapshot?.olderCount ?? 0;
  const groups = groupRuns(findRuns(runs, sought));
  const first = groups[0]?.runs[0];
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
      <button
        type="button"
        className="rail-link"
        aria-current={view === "search" ? "page" : undefined}
        onClick={() => onView("search")}
      >
        <Search size={14} aria-hidden="true" /> Search everything
      </button>
      {failure !== null && <Notice title="The runs could not be read" message={failure.message} code={failure.code} />}
      {runs.length > 0 && (
        <RunFilter sought={sought} onSought={setSought} onFirst={() => first && onSelect(first.run)} />
      )}
      {groups.length > 0 && <RunList groups={groups} selected={selected} onSelect={onSelect} />}
      {runs.length > 0 && groups.length === 0 && <p className="rail-none">No title or id says “{sought.trim()}”.</p>}
      {olderCount > 0 && <p className="rail-none">{countOf(olderCount, "older run")}: coppice runs lists all.</p>}
      <footer className="rail-foot">
        <button
          type="button"
          className="rail-link"
          aria-current={view === "settings" ? "page" : undefined}
          onClick={() => onView("settings")}
        >
          <SlidersHorizontal size={14} aria-hidden="true" /> Settings
        </button>
      </footer>
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
        {item.agents === undefined ? (
          <span className="one faint">{repoName(item.repo)}</span>
        ) : (
          <AgentStrip agents={item.agents} />
        )}
      </span>
      <span className="run-age fig">
        {item.isPinned === true && <Pin size={10} role="img" aria-label="pinned" />}
        {formatAge(ageOf(item), now)}
      </span>
    </div>
  );
}

/** What its age counts from: since when it waits, when it ended, else when it began. */
function ageOf(item: RunListItem): number {
  return item.askedAt ?? (attentionOf(item) === "done" ? item.updatedAt : item.createdAt);
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
