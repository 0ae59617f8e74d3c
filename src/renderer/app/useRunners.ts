// What each action of the table does right now. One that is absent cannot be done now, and is offered nowhere.

import { useMemo } from "react";

import type { ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
import { useTopicPart } from "../client/Client.tsx";
import { nextInNeed, type RunQueue } from "../features/runs/attention.ts";
import type { SettingsChange } from "../features/useSettings.ts";
import { fresh, type Place, type View } from "./place.ts";
import { focusRegion } from "./regions.ts";
import type { Runners } from "./useKeys.ts";
import type { PanelSide } from "./usePanels.ts";
import type { Go } from "./usePlace.ts";

export type Overlay = "palette" | "keys";

export interface RunnerParts {
  readonly place: Place;
  readonly go: Go;
  /** `null` until the list has come. */
  readonly queue: RunQueue | null;
  readonly open: (overlay: Overlay) => void;
  readonly togglePanel: (side: PanelSide) => void;
  readonly change: SettingsChange["change"];
  readonly settings: { readonly motion: "system" | "reduced" } | undefined;
}

export function useRunners(parts: RunnerParts): Runners {
  const { place, go, queue, open, togglePanel, change, settings } = parts;
  const looked = useTopicPart(place.run === null ? null : `run/${place.run}`, lookedAt);
  return useMemo(
    () => ({
      ...screens(place, go, open),
      ...(queue === null ? {} : runsOf(place, go, queue)),
      ...(looked === null ? {} : thisRun(place, go, looked)),
      ...panels(place, togglePanel),
      ...(settings === undefined ? {} : themes(settings.motion, change)),
    }),
    [place, go, queue, looked, open, togglePanel, change, settings],
  );
}

function screens({ view }: Place, go: Go, open: (overlay: Overlay) => void): Runners {
  const to = (target: View) =>
    view === target ? {} : { [idOf[target]]: () => go({ ...fresh, view: target }, "push") };
  return {
    ...to("new"),
    ...to("inbox"),
    ...to("search"),
    ...to("settings"),
    ...to("welcome"),
    "app.palette": () => open("palette"),
    "app.keys": () => open("keys"),
    "place.back": () => window.history.back(),
    "place.forward": () => window.history.forward(),
    "region.next": () => focusRegion(1),
    "region.previous": () => focusRegion(-1),
  };
}

const idOf: Readonly<Record<View, string>> = {
  run: "app.run",
  new: "run.new",
  inbox: "app.inbox",
  search: "app.search",
  settings: "app.settings",
  welcome: "app.welcome",
  compare: "run.compare",
};

function runsOf({ run: current }: Place, go: Go, queue: RunQueue): Runners {
  const { order: runs } = queue;
  const at = runs.findIndex((run) => run === current);
  const show = (run: RunId | undefined) => {
    if (run !== undefined) go({ ...fresh, run }, "push");
  };
  const next = nextInNeed(queue, current);
  return {
    ...(next === null ? {} : { "app.next": () => show(next) }),
    ...(runs.length === 0 ? {} : { "run.number": (digit: number | null) => show(runs[(digit ?? 1) - 1]) }),
    ...(at > 0 ? { "run.previous": () => show(runs[at - 1]) } : {}),
    ...(at !== -1 && at < runs.length - 1 ? { "run.following": () => show(runs[at + 1]) } : {}),
  };
}

/** What actions go by of the run that is looked at. */
interface Looked {
  /** The first that waits for a review. */
  readonly changeset: ChangeSetId | null;
}

function lookedAt(run: RunSnapshot | null): Looked | null {
  if (run === null) return null;
  return { changeset: run.approvals.find((one) => one.changeset !== undefined)?.changeset ?? null };
}

function thisRun({ view, run, review }: Place, go: Go, { changeset }: Looked): Runners {
  if (view !== "run") return {};
  return {
    "run.compare": () => go({ ...fresh, view: "compare", run }, "push"),
    ...(changeset === null || review !== null
      ? {}
      : { "run.review": () => go({ review: changeset, at: null }, "push") }),
    ...Object.fromEntries(buttons.map((id) => [id, () => findButton(id)?.click()])),
  };
}

/** The panels of the screens that have them: a review has the window to itself, and so have the first steps. */
function panels({ view, run, review }: Place, toggle: (side: PanelSide) => void): Runners {
  if (view === "welcome" || review !== null) return {};
  const hasInspector = view === "run" && run !== null;
  return {
    "panel.left": () => toggle("left"),
    ...(hasInspector ? { "panel.right": () => toggle("right") } : {}),
  };
}

/** Actions that have their button on the screen: they can be done exactly while it is there, and do what it does. */
const buttons = ["run.pause", "run.resume", "run.stop"];

function findButton(id: string): HTMLButtonElement | null {
  return document.querySelector<HTMLButtonElement>(`[data-action="${id}"]:not(:disabled)`);
}

/** Whether an action can be done at this moment. */
export function canRun(runners: Runners, id: string): boolean {
  if (runners[id] === undefined) return false;
  if (buttons.includes(id)) return findButton(id) !== null;
  const { navigation } = window as { readonly navigation?: Readonly<Record<"canGoBack" | "canGoForward", boolean>> };
  // A browser that does not say is asked all the same: going nowhere does no harm.
  if (id === "place.back") return navigation?.canGoBack ?? true;
  return id === "place.forward" ? (navigation?.canGoForward ?? true) : true;
}

function themes(motion: "system" | "reduced", change: SettingsChange["change"]): Runners {
  const to = (theme: "system" | "light" | "dark") => () => void change({ appearance: { theme, motion } });
  return { "theme.system": to("system"), "theme.light": to("light"), "theme.dark": to("dark") };
}
