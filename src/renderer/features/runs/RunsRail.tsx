// The list of runs, grouped by attention. One tab stop; arrow keys walk it and selection follows the focus.

import { Inbox, Pin, Plus, Search, SlidersHorizontal } from "lucide-react";
import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem } from "../../../shared/contract/snapshots.ts";
import { useTopic } from "../../client/Client.tsx";
import { CoppiceMark } from "../../ui/CoppiceMark.tsx";
import { Key } from "../../ui/Key.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { countOf, formatAge } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { AgentStrip } from "./AgentStrip.tsx";
import { ModelsFoot } from "./ModelsFoot.tsx";
import { RepositoryChooser } from "./RepositoryChooser.tsx";
import { RunFilter } from "./RunFilter.tsx";
import { attentionOf, describeRun, findRuns, groupRuns } from "./attention.ts";
import type { RunGroup } from "./attention.ts";
import { type ListedRepository, repositoriesIn, runsIn } from "./repositories.ts";
import { useChosenRepository } from "./useChosenRepository.ts";
import { useGrowing } from "./useGrowing.ts";

export interface RunsRailProps {
  readonly selected: RunId | null;
  readonly onSelect: (run: RunId) => void;
  /** Which of the other screens is shown. */
  readonly view: string;
  readonly onView: (view: "inbox" | "new" | "search" | "settings") => void;
  /** What the search of everything is called by, as people read it; `null`: by no key. */
  readonly searchKeys: string | null;
  /** Where another run is to begin. */
  readonly onFolder: (folder: string) => void;
}

const none: readonly RunListItem[] = [];
const noRepositories: readonly ListedRepository[] = [];

export function RunsRail({ selected, onSelect, view, onView, searchKeys, onFolder }: RunsRailProps) {
  const { snapshot, failure } = useTopic("runs");
  const [sought, setSought] = useState("");
  const chosen = useChosenRepository();
  const all = snapshot?.runs ?? none;
  const repositories = useMemo(() => repositoriesIn(all), [all]);
  const runs = useMemo(() => runsIn(all, chosen), [all, chosen]);
  const olderCount = snapshot?.olderCount ?? 0;
  const groups = useMemo(() => groupRuns(findRuns(runs, sought)), [runs, sought]);
  const first = groups[0]?.runs[0];
  const askCount = all.reduce((sum, run) => sum + run.needsYouCount, 0);
  return (
    <nav className="rail" aria-label="Runs" data-region="runs">
      <header className="rail-top">
        {repositories.length === 0 ? (
          <>
            <CoppiceMark size={16} />
            <b>Coppice</b>
          </>
        ) : (
          <RepositoryChooser repositories={repositories} chosen={chosen} onOpen={onFolder} />
        )}
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
        <Search size={14} aria-hidden="true" /> Search
        <span className="heard"> everything</span>
        {searchKeys !== null && <Key name={searchKeys} />}
      </button>
      {failure !== null && <Notice title="The runs could not be read" message={failure.message} code={failure.code} />}
      {runs.length > 0 && (
        <RunFilter sought={sought} onSought={setSought} onFirst={() => first && onSelect(first.run)} />
      )}
      {groups.length > 0 && (
        <RunList
          groups={groups}
          selected={selected}
          onSelect={onSelect}
          repositories={runs === all && repositories.length > 1 ? repositories : noRepositories}
        />
      )}
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
        <ModelsFoot />
      </footer>
    </nav>
  );
}

interface RunListProps {
  readonly groups: readonly RunGroup[];
  readonly selected: RunId | null;
  readonly onSelect: (run: RunId) => void;
  /** That they are of; empty where it is one. */
  readonly repositories: readonly ListedRepository[];
}

function RunList({ groups, selected, onSelect, repositories }: RunListProps) {
  const now = useNow(10_000);
  const runs = groups.flatMap((group) => group.runs);
  const names = useMemo(() => new Map(repositories.map(({ path, name }) => [path, name])), [repositories]);
  const at = runs.findIndex(({ run }) => run === selected);
  const { shownCount, onScroll } = useGrowing(runs.length, at);
  // The one that Tab reaches: the selected one, or the first while the selected one is not in the list.
  const reached = runs[Math.max(0, at)];
  const list = useRef<HTMLDivElement>(null);
  const isWalking = useRef(false);

  function walk(event: KeyboardEvent<HTMLElement>): void {
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')];
    const focused = options.findIndex((option) => option === document.activeElement);
    const run = runs[stepTo(event.key, focused, runs.length)]?.run;
    if (run === undefined) return;
    event.preventDefault();
    if (run === selected) return;
    isWalking.current = true;
    onSelect(run);
  }
  // The focus goes with the selection once its row is in the page.
  useLayoutEffect(() => {
    if (selected === null || !isWalking.current) return;
    isWalking.current = false;
    list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, [selected]);

  return (
    <div
      className="rail-list"
      role="listbox"
      aria-label="Runs by attention"
      tabIndex={-1}
      ref={list}
      onKeyDown={walk}
      onScroll={onScroll}
    >
      {shownOf(groups, shownCount).map(({ attention, label, runs: members, shown }) => (
        <div key={attention} role="group" aria-label={`${label}, ${members.length}`} data-attention={attention}>
          <div className="rail-group" aria-hidden="true">
            {label}
            <span className="fig">{members.length}</span>
          </div>
          {shown.map((item, index) => (
            <RunRow
              key={item.run}
              item={item}
              age={formatAge(ageOf(item), now)}
              position={index + 1}
              groupSize={members.length}
              isSelected={item.run === selected}
              isReached={item === reached}
              where={names.get(item.repo) ?? ""}
              onSelect={onSelect}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The groups with the rows of each that are among the first `count`; none of those without any. */
function shownOf(groups: readonly RunGroup[], count: number) {
  let left = count;
  return groups.flatMap((group) => {
    const shown = group.runs.slice(0, left);
    left -= shown.length;
    return shown.length === 0 ? [] : [{ ...group, shown }];
  });
}

/** All of it primitive, or shared between snapshots while it stays as it is: a row is drawn again only when it says something else. */
interface RunRowProps {
  readonly item: RunListItem;
  readonly age: string;
  /** In its group, from 1. */
  readonly position: number;
  readonly groupSize: number;
  readonly isSelected: boolean;
  readonly isReached: boolean;
  /** Of one that is over: in which repository it worked; empty where that goes without saying. */
  readonly where: string;
  readonly onSelect: (run: RunId) => void;
}

const RunRow = memo(function RunRow(props: RunRowProps) {
  const { item, age, position, groupSize, isSelected, isReached, where, onSelect } = props;
  const { shape, word } = describeRun(item);
  return (
    // The list above walks by key for all of its options.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="run"
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={groupSize}
      tabIndex={isReached ? 0 : -1}
      onClick={() => {
        if (!isSelected) onSelect(item.run);
      }}
    >
      <span className="run-title">{item.title}</span>
      <span className="run-under">
        <Mark shape={shape} word={word} />
        {item.agents === undefined ? (
          where !== "" && <span className="one faint">{where}</span>
        ) : (
          <AgentStrip agents={item.agents} />
        )}
      </span>
      <span className="run-age fig">
        {item.isPinned === true && <Pin size={10} role="img" aria-label="pinned" />}
        {age}
      </span>
    </div>
  );
});

/** What its age counts from: since when it waits, when it ended, else when it began. */
function ageOf(item: RunListItem): number {
  return item.askedAt ?? (attentionOf(item) === "done" ? item.updatedAt : item.createdAt);
}

/** Where `key` leads from `at` (`-1`: nowhere yet); `-1` for a key that does not walk. */
function stepTo(key: string, at: number, length: number): number {
  if (key === "ArrowDown") return Math.min(at + 1, length - 1);
  if (key === "ArrowUp") return Math.max(at - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  return -1;
}
