// The list of runs at the left, and beside it the one screen that is looked at.

import { useCallback, useState } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { Inbox } from "../features/inbox/Inbox.tsx";
import { EmptyRuns } from "../features/runs/EmptyRuns.tsx";
import { NewRun } from "../features/runs/NewRun.tsx";
import { RunsRail } from "../features/runs/RunsRail.tsx";
import { SearchScreen } from "../features/search/SearchScreen.tsx";
import type { FoundPlace } from "../features/search/SearchScreen.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { RunScreen } from "./RunScreen.tsx";
import { SettingsPlace } from "./SettingsPlace.tsx";
import { WelcomeScreen } from "./WelcomeScreen.tsx";
import { fresh } from "./place.ts";
import type { Place } from "./place.ts";
import type { Panels } from "./usePanels.ts";
import type { Go } from "./usePlace.ts";

export interface ScreensProps {
  readonly place: Place;
  readonly go: Go;
  readonly list: RunListSnapshot | null;
  readonly listFailure: Failure | null;
  readonly panels: Panels;
}

export function Screens({ place, go, list, listFailure, panels }: ScreensProps) {
  const { view, run } = place;
  const [task, setTask] = useState("");
  const beginTask = useCallback(
    (begun: string) => {
      setTask(begun);
      go({ ...fresh, view: "new" }, "push");
    },
    [go],
  );
  if (view === "welcome") return <WelcomeScreen list={list} go={go} onTask={beginTask} />;
  return (
    <div className="panes" data-left={panels.left ? "shown" : "hidden"} data-right={panels.right ? "shown" : "hidden"}>
      {panels.left && (
        <RunsRail
          snapshot={list}
          failure={listFailure}
          selected={view === "run" ? run : null}
          onSelect={(chosen) => {
            if (chosen !== run || view !== "run") go({ ...fresh, run: chosen });
          }}
          view={view}
          onView={(target) => go({ ...fresh, view: target }, "push")}
        />
      )}
      <Screen place={place} go={go} list={list} isFailed={listFailure !== null} task={task} />
    </div>
  );
}

interface ScreenProps {
  readonly place: Place;
  readonly go: Go;
  readonly list: RunListSnapshot | null;
  readonly isFailed: boolean;
  /** That a new run begins with. */
  readonly task: string;
}

function Screen({ place, go, list, isFailed, task }: ScreenProps) {
  const { view, run } = place;
  const openReview = useCallback(
    (owner: RunId, review: ChangeSetId) => go({ ...fresh, run: owner, review }, "push"),
    [go],
  );
  const openAgent = useCallback((owner: RunId, agent: AgentId) => go({ ...fresh, run: owner, agent }, "push"), [go]);
  const openFound = useCallback((found: FoundPlace) => go({ ...fresh, ...found }, "push"), [go]);
  const openRun = useCallback((started: RunId) => go({ ...fresh, run: started }, "push"), [go]);
  if (view === "inbox") return <Inbox list={list} onReview={openReview} onOpen={openAgent} />;
  if (view === "search") return <SearchScreen onOpen={openFound} />;
  if (view === "settings") return <SettingsPlace section={place.section} go={go} list={list} />;
  if (view === "new") {
    const known = place.folder ?? list?.runs.find((one) => one.run === run)?.repo ?? "";
    return <NewRun key={known} folder={known} task={task} onStarted={openRun} />;
  }
  if (run !== null) return <RunScreen key={run} run={run} place={place} go={go} />;
  return (
    <main className="middle" tabIndex={-1} data-region="run">
      {list?.runs.length === 0 && (
        <EmptyRuns
          onNew={() => go({ ...fresh, view: "new" }, "push")}
          onWelcome={() => go({ ...fresh, view: "welcome" }, "push")}
        />
      )}
      {list === null && !isFailed && <Skeleton lines={4} label="The runs are being read" />}
    </main>
  );
}
