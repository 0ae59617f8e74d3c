// The window: the banner, the list of runs, and what is looked at: a run, a review, the inbox or a new run. Lays out; decides
// nothing.

import { useCallback, useEffect } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { Client } from "../client/Client.tsx";
import { ClientProvider, useTopic } from "../client/Client.tsx";
import { Inbox } from "../features/inbox/Inbox.tsx";
import { Review } from "../features/review/Review.tsx";
import { EmptyRuns } from "../features/runs/EmptyRuns.tsx";
import { NewRun } from "../features/runs/NewRun.tsx";
import { RunsRail } from "../features/runs/RunsRail.tsx";
import { groupRuns } from "../features/runs/attention.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { RunScreen } from "./RunScreen.tsx";
import type { Place } from "./place.ts";
import { usePlace } from "./usePlace.ts";
import type { Go } from "./usePlace.ts";
import { useRegionKeys } from "./useRegionKeys.ts";

export function App({ client }: { readonly client: Client }) {
  return (
    <ClientProvider client={client}>
      <Workbench />
    </ClientProvider>
  );
}

/** A run from its beginning: live, nothing of it chosen. */
const fresh = { view: "run", at: null, agent: null, review: null } as const;

function Workbench() {
  const { snapshot, failure } = useTopic("runs");
  const [place, go] = usePlace();
  useRegionKeys();
  useDocumentTitle(snapshot);

  // Looked at first: what needs the person most. Only when nothing is selected, so a refresh never moves the selection.
  const first = snapshot === null ? undefined : groupRuns(snapshot.runs)[0]?.runs[0]?.run;
  useEffect(() => {
    if (place.run === null && first !== undefined) go({ run: first });
  }, [place.run, first, go]);

  const { view, run, review } = place;
  const closeReview = useCallback(() => go({ review: null }), [go]);
  if (view === "run" && run !== null && review !== null)
    return (
      <div className="window">
        <ConnectionBanner />
        <Review run={run} changeset={review} onClose={closeReview} />
      </div>
    );
  return (
    <div className="window">
      <ConnectionBanner />
      <div className="panes">
        <RunsRail
          snapshot={snapshot}
          failure={failure}
          selected={view === "run" ? run : null}
          onSelect={(chosen) => {
            if (chosen !== run || view !== "run") go({ ...fresh, run: chosen });
          }}
          view={view}
          onView={(view) => go({ ...fresh, view }, "push")}
        />
        <Screen place={place} go={go} list={snapshot} isFailed={failure !== null} />
      </div>
    </div>
  );
}

interface ScreenProps {
  readonly place: Place;
  readonly go: Go;
  readonly list: RunListSnapshot | null;
  readonly isFailed: boolean;
}

function Screen({ place, go, list, isFailed }: ScreenProps) {
  const { view, run } = place;
  const openReview = useCallback((run: RunId, review: ChangeSetId) => go({ ...fresh, run, review }, "push"), [go]);
  const openAgent = useCallback((run: RunId, agent: AgentId) => go({ ...fresh, run, agent }, "push"), [go]);
  if (view === "inbox") return <Inbox list={list} onReview={openReview} onOpen={openAgent} />;
  if (view === "new") {
    const known = list?.runs.find((one) => one.run === run)?.repo ?? "";
    return <NewRun key={known} folder={known} onStarted={(run) => go({ ...fresh, run }, "push")} />;
  }
  if (run !== null) return <RunScreen key={run} run={run} place={place} go={go} />;
  return (
    <main className="middle" tabIndex={-1} data-region="run">
      {list?.runs.length === 0 && <EmptyRuns onNew={() => go({ ...fresh, view: "new" }, "push")} />}
      {list === null && !isFailed && <Skeleton lines={4} label="The runs are being read" />}
    </main>
  );
}

function useDocumentTitle(snapshot: RunListSnapshot | null): void {
  const waitingCount = snapshot?.runs.reduce((sum, run) => sum + run.needsYouCount, 0) ?? 0;
  useEffect(() => {
    document.title = waitingCount > 0 ? `(${waitingCount}) Coppice` : "Coppice";
  }, [waitingCount]);
}
