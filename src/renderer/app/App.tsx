// The window: the banner, the list of runs, what is looked at, and what lies over it. Lays out; decides nothing.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";

import type { ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { WindowWish } from "../../shared/contract/window.ts";
import type { Client } from "../client/Client.tsx";
import { ClientProvider, useTopic, useTopicPart } from "../client/Client.tsx";
import { KeySheet } from "../features/palette/KeySheet.tsx";
import { Palette } from "../features/palette/Palette.tsx";
import { queueOf, type RunQueue } from "../features/runs/attention.ts";
import { runsIn } from "../features/runs/repositories.ts";
import { chooseRepository, useChosenRepository } from "../features/runs/useChosenRepository.ts";
import { useSettings, useSettingsChange } from "../features/useSettings.ts";
import { actionEntries, keysOf } from "./actions.ts";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { LinkOpener } from "./LinkOpener.tsx";
import { matchKeys } from "./keys.ts";
import { readLaterParts, Review } from "./LaterParts.tsx";
import { keyNamesOf, paletteItems, sheetGroups } from "./overlays.ts";
import { fresh, readPlace, type Place } from "./place.ts";
import { Screens } from "./Screens.tsx";
import { StoreBanner } from "./StoreBanner.tsx";
import { useAppearance } from "./useAppearance.ts";
import { KeyNames } from "../ui/keyNames.ts";
import { isMac } from "../ui/modKey.ts";
import { useCutText } from "./useCutText.ts";
import { type OwnKeys, type Runners, useKeys } from "./useKeys.ts";
import { usePanels } from "./usePanels.ts";
import { usePlace } from "./usePlace.ts";
import { isWelcomeOver } from "./welcome.ts";
import type { Go } from "./usePlace.ts";
import { type Overlay, useRunners } from "./useRunners.ts";
import { useWishes } from "./useWishes.ts";

export function App({ client }: { readonly client: Client }) {
  return (
    <ClientProvider client={client}>
      <LinkOpener>
        <Workbench />
      </LinkOpener>
    </ClientProvider>
  );
}

const usualKeys: OwnKeys = {};

function Workbench() {
  const [place, go] = usePlace();
  const queue = useQueue(place.run);
  const { settings } = useSettings();
  const { change } = useSettingsChange();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [panels, togglePanel] = usePanels();
  const own = settings?.keys ?? usualKeys;
  const appearance = settings?.appearance;
  const runners = useRunners({ place, go, queue, open: setOverlay, togglePanel, change, settings: appearance });
  useAppearance(appearance);
  useKeys(runners, own);
  useDocumentTitle();
  useCutText();
  const hasList = queue !== null;
  useEffect(() => (hasList ? readLaterParts() : undefined), [hasList]);
  useFirst(queue, place, go);
  useWishes(
    useCallback(
      (wish: WindowWish) => {
        if (wish.kind === "go") go(readPlace(wish.search), "push");
        else if (wish.kind === "newRun") go({ ...fresh, view: "new", folder: wish.folder }, "push");
        else runners[wish.action]?.(null);
      },
      [go, runners],
    ),
  );

  const { view, review } = place;
  const closeReview = useCallback(() => go({ review: null }), [go]);
  const openReview = useCallback((review: ChangeSetId) => go({ review }, "push"), [go]);
  const names = useMemo(() => keyNamesOf(own), [own]);
  return (
    <div className="window">
      <div>
        <ConnectionBanner />
        <StoreBanner />
      </div>
      <KeyNames value={names}>
        {view === "run" && place.run !== null && review !== null ? (
          <Review run={place.run} changeset={review} onClose={closeReview} onReview={openReview} />
        ) : (
          <Screens place={place} go={go} panels={panels} />
        )}
      </KeyNames>
      {overlay !== null && (
        <Overlays overlay={overlay} onClose={() => setOverlay(null)} runners={runners} own={own} go={go} />
      )}
    </div>
  );
}

interface OverlaysProps {
  readonly overlay: Overlay;
  readonly onClose: () => void;
  readonly runners: Runners;
  readonly own: OwnKeys;
  readonly go: Go;
}

function Overlays({ overlay, onClose, runners, own, go }: OverlaysProps) {
  const { snapshot: list } = useTopic("runs");
  const items = useMemo(
    () => paletteItems(runners, own, list, (run: RunId) => go({ ...fresh, run }, "push")),
    [runners, own, list, go],
  );
  const isKeyOf = (id: string) => (event: KeyboardEvent) => {
    const entry = actionEntries.find((one) => one.id === id);
    return entry !== undefined && matchKeys(keysOf(entry, own), event.nativeEvent, isMac) !== null;
  };
  if (overlay === "palette") return <Palette items={items} onClose={onClose} isOwnKey={isKeyOf("app.palette")} />;
  return (
    <KeySheet
      groups={sheetGroups(runners, own)}
      onClose={onClose}
      onChange={() => {
        onClose();
        go({ ...fresh, view: "settings", section: "keys" }, "push");
      }}
      isOwnKey={isKeyOf("app.keys")}
    />
  );
}

/** Where nothing is chosen: the first steps while the store holds no run, else what needs the person most. A refresh never moves the selection. */
function useFirst(queue: RunQueue | null, place: Place, go: Go): void {
  const first = queue?.order[0];
  const isEmpty = queue?.order.length === 0;
  const isIdle = place.view === "run" && place.run === null;
  useEffect(() => {
    if (!isIdle) return;
    if (first !== undefined) go({ run: first });
    else if (isEmpty && !isWelcomeOver()) go({ view: "welcome" });
  }, [isIdle, isEmpty, first, go]);
}

/** The runs in the order of the list, which is held to one repository where one is chosen. A run of another that is gone to,
 * by a link or from the inbox, takes the list along. */
function useQueue(run: RunId | null): RunQueue | null {
  const chosen = useChosenRepository();
  const followed = useRef<RunId | null>(null);
  const repo = useTopicPart(
    "runs",
    useCallback((list) => list?.runs.find((one) => one.run === run)?.repo ?? null, [run]),
  );
  useEffect(() => {
    if (run === followed.current || repo === null) return;
    followed.current = run;
    if (chosen !== null) chooseRepository(repo);
  }, [run, repo, chosen]);
  return useTopicPart(
    "runs",
    useCallback((list) => (list === null ? null : queueOf(list.runs, runsIn(list.runs, chosen))), [chosen]),
  );
}

function useDocumentTitle(): void {
  const waitingCount = useTopicPart("runs", waitingIn);
  useEffect(() => {
    document.title = waitingCount > 0 ? `(${waitingCount}) Coppice` : "Coppice";
  }, [waitingCount]);
}

function waitingIn(list: RunListSnapshot | null): number {
  return list?.runs.reduce((sum, run) => sum + run.needsYouCount, 0) ?? 0;
}
