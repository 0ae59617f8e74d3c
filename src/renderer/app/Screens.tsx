// The list of runs at the left, and beside it the one screen that is looked at.

import { memo, useCallback, useState } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import { useTopic, useTopicPart } from "../client/Client.tsx";
import { EmptyRuns } from "../features/runs/EmptyRuns.tsx";
import type { NewRunProps } from "../features/runs/NewRun.tsx";
import { RunsRail } from "../features/runs/RunsRail.tsx";
import { useChosenRepository } from "../features/runs/useChosenRepository.ts";
import type { FoundPlace } from "../features/search/SearchScreen.tsx";
import { useSettings } from "../features/useSettings.ts";
import { isMac } from "../ui/modKey.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { actionEntries, keysOf } from "./actions.ts";
import { showKeys } from "./keys.ts";
import { RunScreen } from "./RunScreen.tsx";
import { WelcomeScreen } from "./WelcomeScreen.tsx";
import { ComparePlace, Inbox, NewRun, SearchScreen, SettingsPlace } from "./LaterParts.tsx";
import { fresh } from "./place.ts";
import type { Place, View } from "./place.ts";
import type { Panels } from "./usePanels.ts";
import type { Go } from "./usePlace.ts";

export interface ScreensProps {
  readonly place: Place;
  readonly go: Go;
  readonly panels: Panels;
}

/** Drawn again when one goes somewhere, not with every snapshot: what shows one looks at it by itself. */
export const Screens = memo(function Screens({ place, go, panels }: ScreensProps) {
  const { view, run } = place;
  const [task, setTask] = useState("");
  const beginTask = useCallback(
    (begun: string) => {
      setTask(begun);
      go({ ...fresh, view: "new" }, "push");
    },
    [go],
  );
  const showRun = useCallback((chosen: RunId) => go({ ...fresh, run: chosen }), [go]);
  const showView = useCallback((target: View) => go({ ...fresh, view: target }, "push"), [go]);
  const searchKeys = useSearchKeys();
  const openFolder = useCallback((folder: string) => go({ ...fresh, view: "new", folder }, "push"), [go]);
  if (view === "welcome") return <WelcomeScreen go={go} onTask={beginTask} />;
  return (
    <div className="panes" data-left={panels.left ? "shown" : "hidden"} data-right={panels.right ? "shown" : "hidden"}>
      {panels.left && (
        <RunsRail
          selected={view === "run" ? run : null}
          onSelect={showRun}
          view={view}
          onView={showView}
          searchKeys={searchKeys}
          onFolder={openFolder}
        />
      )}
      <Screen place={place} go={go} task={task} />
    </div>
  );
});

/** As people read them; `null` for none. */
function useSearchKeys(): string | null {
  const { settings } = useSettings();
  const entry = actionEntries.find(({ id }) => id === "app.search");
  const keys = entry === undefined ? "" : keysOf(entry, settings?.keys ?? {});
  return keys === "" ? null : showKeys(keys, isMac);
}

interface ScreenProps {
  readonly place: Place;
  readonly go: Go;
  /** That a new run begins with. */
  readonly task: string;
}

function Screen({ place, go, task }: ScreenProps) {
  const { view, run } = place;
  const openReview = useCallback(
    (owner: RunId, review: ChangeSetId) => go({ ...fresh, run: owner, review }, "push"),
    [go],
  );
  const openAgent = useCallback(
    (owner: RunId, agent: AgentId, entry?: number) => go({ ...fresh, run: owner, agent, entry: entry ?? null }, "push"),
    [go],
  );
  const openFound = useCallback((found: FoundPlace) => go({ ...fresh, ...found }, "push"), [go]);
  const openRun = useCallback((started: RunId) => go({ ...fresh, run: started }, "push"), [go]);
  if (view === "inbox") return <Inbox onReview={openReview} onOpen={openAgent} />;
  if (view === "search") return <SearchScreen onOpen={openFound} />;
  if (view === "settings") return <SettingsPlace section={place.section} go={go} />;
  if (view === "compare") return <ComparePlace place={place} go={go} />;
  if (view === "new") return <NewRunPlace folder={place.folder} beside={run} task={task} onStarted={openRun} />;
  if (run !== null) return <RunScreen key={run} run={run} place={place} go={go} />;
  return <NoRun go={go} />;
}

interface NewRunPlaceProps extends Pick<NewRunProps, "task" | "onStarted"> {
  readonly folder: string | null;
  /** A run that was looked at before: the next one is likely to be in the same repository. */
  readonly beside: RunId | null;
}

function NewRunPlace({ folder, beside, ...form }: NewRunPlaceProps) {
  const chosen = useChosenRepository();
  const repo = useTopicPart(
    "runs",
    useCallback((list) => list?.runs.find((one) => one.run === beside)?.repo ?? "", [beside]),
  );
  const known = folder ?? chosen ?? repo;
  return <NewRun key={known} folder={known} {...form} />;
}

/** Before the list has come, and where it has no run. */
function NoRun({ go }: { readonly go: Go }) {
  const { snapshot: list, failure } = useTopic("runs");
  return (
    <main className="middle" tabIndex={-1} data-region="run">
      {list?.runs.length === 0 && (
        <EmptyRuns
          onNew={() => go({ ...fresh, view: "new" }, "push")}
          onWelcome={() => go({ ...fresh, view: "welcome" }, "push")}
        />
      )}
      {list === null && failure === null && <Skeleton lines={4} label="The runs are being read" />}
    </main>
  );
}
