// The window: the banner, the list of runs, and the run that is looked at. Lays out; decides nothing.

import { useEffect } from "react";

import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { Client } from "../client/Client.tsx";
import { ClientProvider, useTopic } from "../client/Client.tsx";
import { EmptyRuns } from "../features/runs/EmptyRuns.tsx";
import { RunDetail } from "../features/runs/RunDetail.tsx";
import { RunsRail } from "../features/runs/RunsRail.tsx";
import { groupRuns } from "../features/runs/attention.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { useRegionKeys } from "./useRegionKeys.ts";
import { useSelectedRun } from "./useSelectedRun.ts";

export function App({ client }: { readonly client: Client }) {
  return (
    <ClientProvider client={client}>
      <Workbench />
    </ClientProvider>
  );
}

function Workbench() {
  const { snapshot, failure } = useTopic("runs");
  const [selected, select] = useSelectedRun();
  useRegionKeys();
  useDocumentTitle(snapshot);

  // Looked at first: what needs the person most. Only when nothing is selected, so a refresh never moves the selection.
  const first = snapshot === null ? undefined : groupRuns(snapshot.runs)[0]?.runs[0]?.run;
  useEffect(() => {
    if (selected === null && first !== undefined) select(first);
  }, [selected, first, select]);

  const isEmpty = snapshot?.runs.length === 0 && selected === null;
  return (
    <div className="window">
      <ConnectionBanner />
      <div className="panes">
        <RunsRail snapshot={snapshot} failure={failure} selected={selected} onSelect={select} />
        <main className="middle" tabIndex={-1} data-region="run">
          {selected !== null && <RunDetail key={selected} run={selected} />}
          {isEmpty && <EmptyRuns />}
          {snapshot === null && selected === null && failure === null && (
            <Skeleton lines={4} label="The runs are being read" />
          )}
        </main>
      </div>
    </div>
  );
}

function useDocumentTitle(snapshot: RunListSnapshot | null): void {
  const waitingCount = snapshot?.runs.reduce((sum, run) => sum + run.needsYouCount, 0) ?? 0;
  useEffect(() => {
    document.title = waitingCount > 0 ? `(${waitingCount}) Coppice` : "Coppice";
  }, [waitingCount]);
}
