// The settings as they hold, and how a part of the screen changes them: each part at once, none before the file has it.
// Lies beside the features because several of them go by it.

import { useCallback, useState } from "react";

import type { Settings, SettingsChanges, SettingsSnapshot } from "../../shared/contract/settings.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useTakeCare, useTopic } from "../client/Client.tsx";

export interface SettingsView {
  /** `null` until they have arrived. */
  readonly snapshot: SettingsSnapshot | null;
  readonly settings: Settings | null;
  readonly failure: Failure | null;
}

export function useSettings(): SettingsView {
  const { snapshot, failure } = useTopic("settings");
  return { snapshot, settings: snapshot?.settings ?? null, failure };
}

export interface SettingsChange {
  readonly isBusy: boolean;
  /** Why the last change was refused. */
  readonly failure: Failure | null;
  /** Whether the last change is on disk; `false` before the first. */
  readonly isSaved: boolean;
  /** Answers whether it was done. */
  readonly change: (changes: SettingsChanges) => Promise<boolean>;
}

export function useSettingsChange(): SettingsChange {
  const takeCare = useTakeCare();
  const [standing, setStanding] = useState<Omit<SettingsChange, "change">>({
    isBusy: false,
    failure: null,
    isSaved: false,
  });
  const change = useCallback(
    async (changes: SettingsChanges) => {
      setStanding({ isBusy: true, failure: null, isSaved: false });
      const answer = await takeCare({ type: "changeSettings", changes });
      setStanding({ isBusy: false, failure: answer.ok ? null : answer.error, isSaved: answer.ok });
      return answer.ok;
    },
    [takeCare],
  );
  return { ...standing, change };
}

/** The settings as somebody is changing them: what they have just set is shown at once, and taken back where it is refused. */
export function useSettingsEdit(): SettingsView & SettingsChange {
  const { snapshot, settings: held, failure: unread } = useSettings();
  const { change: send, ...standing } = useSettingsChange();
  const [pending, setPending] = useState<{ readonly changes: SettingsChanges; readonly version: number } | null>(null);
  const version = snapshot?.version ?? 0;
  const change = useCallback(
    async (changes: SettingsChanges) => {
      setPending({ changes, version });
      const isDone = await send(changes);
      if (!isDone) setPending(null);
      return isDone;
    },
    [send, version],
  );
  // A newer snapshot has what was set, or what another hand has set since.
  const isPending = pending !== null && pending.version >= version;
  const settings = held === null || !isPending ? held : { ...held, ...pending.changes };
  return { ...standing, snapshot, settings, failure: standing.failure ?? unread, change };
}
