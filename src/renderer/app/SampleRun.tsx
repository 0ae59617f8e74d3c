// The sample's run as a whole: its agents, its lanes and a scrubber, without the rest of a run's screen. Live while it goes,
// replayed from its beginning once it is over.

import { useState } from "react";

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import { useTopic } from "../client/Client.tsx";
import { ReplayBanner } from "../features/replay/ReplayBanner.tsx";
import { Scrubber } from "../features/replay/Scrubber.tsx";
import { useReplay } from "../features/replay/useReplay.ts";
import { useReplayKeys } from "../features/replay/useReplayKeys.ts";
import { useShown } from "../features/replay/useShown.ts";
import { PageState } from "../ui/PageState.tsx";
import { RunPicture } from "./RunPicture.tsx";
import { TimelinePane } from "./TimelinePane.tsx";

export function SampleRun({ run }: { readonly run: RunId }) {
  const { snapshot: live, failure } = useTopic(`run/${run}`);
  const replay = useReplay(run, live?.at ?? null, null);
  const { shown } = useShown(run, live, replay.at);
  useReplayKeys(replay);
  const [selected, setSelected] = useState<AgentId>("lead");
  if (live === null || shown === null)
    return (
      <PageState
        failure={failure}
        reading="The run is being read"
        lost="The sample’s run could not be read"
        lines={6}
      />
    );
  const moment = replay.at === null ? null : (replay.moment ?? shown.updatedAt);
  const isThere = selected === "lead" || shown.subagents.some(({ id }) => id === selected);
  const agent = isThere ? selected : "lead";
  return (
    <section className="sample-run run-screen" aria-label={live.title}>
      {replay.at !== null && <ReplayBanner replay={replay} title={live.title} />}
      <RunPicture snapshot={shown} selected={agent} moment={moment} onSelect={setSelected} />
      <TimelinePane live={live} shown={shown} moment={moment} replay={replay} selected={agent} onSelect={setSelected} />
      <Scrubber replay={replay} />
    </section>
  );
}
