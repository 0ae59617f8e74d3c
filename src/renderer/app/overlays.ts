// What the palette and the sheet of shortcuts show, made from the table of actions: only what can be done now.

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { PaletteItem } from "../features/palette/Palette.tsx";
import type { SheetGroup } from "../features/palette/KeySheet.tsx";
import { runsInOrder } from "../features/runs/attention.ts";
import { actionEntries, keysOf } from "./actions.ts";
import { ariaKeys, showKeys } from "./keys.ts";
import { folderName } from "../ui/formats.ts";
import type { NameKeys } from "../ui/keyNames.ts";
import { isMac } from "../ui/modKey.ts";
import type { OwnKeys, Runners } from "./useKeys.ts";
import { canRun } from "./useRunners.ts";

/** Actions that mean nothing by name: they need a digit, or are the palette itself. */
const unnamed = ["app.palette", "run.number"];

export function paletteItems(
  runners: Runners,
  own: OwnKeys,
  list: RunListSnapshot | null,
  openRun: (run: RunId) => void,
): readonly PaletteItem[] {
  const actions = actionEntries
    .filter((entry) => entry.isLocal !== true && !unnamed.includes(entry.id) && canRun(runners, entry.id))
    .map((entry) => ({
      id: entry.id,
      title: entry.title,
      about: entry.group,
      keys: shown(keysOf(entry, own)),
      run: () => runners[entry.id]?.(null),
    }));
  const runs = runsInOrder(list?.runs ?? []).map(({ run, title, repo }) => ({
    id: `open-${run}`,
    title,
    about: `Run · ${folderName(repo)}`,
    keys: "",
    run: () => openRun(run),
  }));
  return [...actions, ...runs];
}

/** What holds everywhere and can be done now, then what holds in a part of the screen that is there. */
export function sheetGroups(runners: Runners, own: OwnKeys): readonly SheetGroup[] {
  const rows = actionEntries
    .filter((entry) =>
      entry.within === undefined ? canRun(runners, entry.id) : document.querySelector(entry.within) !== null,
    )
    .map((entry) => ({ id: entry.id, title: entry.title, group: entry.group, keys: shown(keysOf(entry, own)) }))
    .filter(({ keys }) => keys !== "");
  const groups = Map.groupBy(rows, ({ group }) => group);
  return [...groups].map(([title, members]) => ({ title, rows: members }));
}

/** What the parts of the screen call the keys that a person has changed. */
export function keyNamesOf(own: OwnKeys): NameKeys {
  return (action) => {
    const entry = actionEntries.find(({ id }) => id === action);
    const keys = own[action];
    if (entry === undefined || keys === undefined || keys === entry.keys) return null;
    return { shown: shown(keys), heard: ariaKeys(keys, isMac) };
  };
}

function shown(keys: string): string {
  return keys === "" ? "" : showKeys(keys, isMac);
}
