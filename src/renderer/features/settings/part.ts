// What each part of the settings is given.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { Settings, SettingsSnapshot } from "../../../shared/contract/settings.ts";
import type { SettingsChange } from "../useSettings.ts";

export interface PartProps {
  readonly settings: Settings;
  readonly snapshot: SettingsSnapshot;
  readonly change: SettingsChange["change"];
}

export interface RunChoice {
  readonly run: RunId;
  readonly title: string;
}
