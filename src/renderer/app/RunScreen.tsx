// One run: header, graph or tree, timeline, scrubber, inspector, all of one moment and with one selection. Composes the
// features, which do not know each other.

import { useCallback, useEffect, useRef, useState } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useTopic } from "../client/Client.tsx";
import { Inspector } from "../features/inspector/Inspector.tsx";
import type { TabName } from "../features/inspector/Inspector.tsx";
import { ReplayBanner } from "../features/replay/ReplayBanner.tsx";
import { Scrubber } from "../features/replay/Scrubber.tsx";
import { useReplay } from "../features/replay/useReplay.ts";
import type { Replay } from "../features/replay/useReplay.ts";
import { useReplayKeys } from "../features/replay/useReplayKeys.ts";
import { useShown } from "../features/replay/useShown.ts";
import { RunHeader } from "../features/runs/RunHeader.tsx";
import { Transcript } from "../features/transcript/Transcript.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { AgentFoot } from "./AgentFoot.tsx";
import { NoSuchRun } from "./NoSuchRun.tsx";
import { RunPicture } from "./RunPicture.tsx";
import { TimelinePane } from "./TimelinePane.tsx";
import { fresh } from "./place.ts";
import type { Place } from "./place.ts";
import type { Go } from "./usePlace.ts";

export interface RunScreenProps {
  readonly run: RunId;
  readonly place: Place;
  readonly go: Go;
}

/** The address follows a scrubber once it rests for so long, ms: browsers bound how often it may change. */
const restMs = 250;

export function RunScreen({ run, place, go }: RunScreenProps) {
  const { snapshot: live, failure } = useTopic(`run/${run}`);
  const replay = useReplay(run, live?.at ?? null, place.at);
  const { shown, failure: unread } = useShown(run, live, replay.at);
  useReplayKeys(replay);
  useAddress(replay, place.at, go);
  const problem = [failure, unread, replay.failure].find(isWorthSaying) ?? null;
  if (problem?.code === "RUN_NOT_FOUND") return <NoSuchRun run={run} go={go} />;
  if (live === null || shown === null)
    return (
      <main className="middle" data-region="run" tabIndex={-1}>
        {problem === null ? <Skeleton lines={6} label="The run is being read" /> : <Unreadable failure={problem} />}
      </main>
    );
  return <Loaded run={run} live={live} shown={shown} replay={replay} problem={problem} place={place} go={go} />;
}

interface LoadedProps extends RunScreenProps {
  readonly live: RunSnapshot;
  /** Of the moment that is shown. */
  readonly shown: RunSnapshot;
  readonly replay: Replay;
  readonly problem: Failure | null;
}

function Loaded({ live, shown, replay, problem, place, go }: LoadedProps) {
  const { at } = replay;
  const moment = at === null ? null : (replay.moment ?? shown.updatedAt);
  const select = useCallback((agent: AgentId) => go({ agent }), [go]);
  const review = useCallback((review: ChangeSetId) => go({ review, at: null }, "push"), [go]);
  const runAgain = useCallback(() => go({ ...fresh, view: "new" }, "push"), [go]);
  const compare = useCallback(() => go({ ...fresh, view: "compare", run: live.run }, "push"), [go, live.run]);
  const leave = useCallback((next: RunId | null) => go({ ...fresh, run: next }), [go]);
  const [tab, setTab] = useState<TabName>(place.entry === null ? "overview" : "transcript");
  const [reveal, setReveal] = useState<{ readonly agent: AgentId; readonly n: number } | null>(
    place.entry === null ? null : { agent: place.agent ?? "lead", n: place.entry },
  );
  const point = useCallback(
    (agent: AgentId, n: number | null) => {
      select(agent);
      setReveal(n === null ? null : { agent, n });
      if (n !== null) setTab("transcript");
    },
    [select],
  );
  // What is chosen stays chosen over moments in which it does not exist yet.
  const isThere =
    place.agent === null || place.agent === "lead" || shown.subagents.some(({ id }) => id === place.agent);
  const selected = (isThere ? place.agent : null) ?? "lead";
  return (
    <>
      <main className="middle run-screen" aria-labelledby="run-title" data-region="run" tabIndex={-1}>
        <RunHeader
          snapshot={shown}
          moment={moment}
          onReview={review}
          onRunAgain={runAgain}
          onCompare={compare}
          onDeleted={leave}
          banner={
            at === null ? null : (
              <ReplayBanner replay={replay} title={live.title} origin={{ run: live.run, onForked: leave }} />
            )
          }
        />
        {problem !== null && <Unreadable failure={problem} />}
        <RunPicture snapshot={shown} selected={selected} moment={moment} onSelect={select} />
        <TimelinePane live={live} shown={shown} moment={moment} replay={replay} selected={selected} onSelect={point} />
        <Scrubber replay={replay} />
      </main>
      <Inspector
        snapshot={shown}
        agent={selected}
        at={at}
        moment={moment}
        tab={tab}
        onTab={setTab}
        onSelect={select}
        onReview={at === null ? review : null}
        transcript={
          <Transcript
            key={selected}
            live={live}
            agent={selected}
            at={at}
            reveal={reveal?.agent === selected ? reveal : null}
            onSelect={select}
            onReview={review}
          />
        }
        foot={
          <AgentFoot
            live={live}
            shown={shown}
            agent={selected}
            moment={moment}
            isReplaying={at !== null}
            hidesQuestions={tab === "transcript"}
            onReview={review}
          />
        }
      />
    </>
  );
}

/** That the connection is lost, the banner says already. */
function isWorthSaying(failure: Failure | null): failure is Failure {
  return failure !== null && failure.code !== "CONNECTION_LOST";
}

function Unreadable({ failure }: { readonly failure: Failure }) {
  return <Notice title="This run could not be read" message={failure.message} code={failure.code} />;
}

/** Keeps the address at the moment that is shown, and goes where the address is led: by a link, or a step back. */
function useAddress({ at, seek }: Replay, placeAt: number | null, go: Go): void {
  const written = useRef(placeAt);
  useEffect(() => {
    if (placeAt === written.current) return;
    written.current = placeAt;
    seek(placeAt);
  }, [placeAt, seek]);
  useEffect(() => {
    const timer = setTimeout(() => {
      written.current = at;
      go({ at });
    }, restMs);
    return () => clearTimeout(timer);
  }, [at, go]);
}
