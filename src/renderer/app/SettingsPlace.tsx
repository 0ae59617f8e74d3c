// The settings as a place of the window, with the one part that knows the actions of the whole of it: the keys.

import { useCallback } from "react";

import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import { useTopicPart } from "../client/Client.tsx";
import { SettingsScreen } from "../features/settings/SettingsScreen.tsx";
import { KeysPart } from "./KeysPart.tsx";
import { fresh } from "./place.ts";
import type { Go } from "./usePlace.ts";

export interface SettingsPlaceProps {
  readonly section: string | null;
  readonly go: Go;
}

export function SettingsPlace({ section, go }: SettingsPlaceProps) {
  const runs = useTopicPart("runs", choicesIn);
  const show = useCallback((chosen: string) => go({ section: chosen }), [go]);
  return (
    <SettingsScreen
      section={section}
      onSection={show}
      onWelcome={() => go({ ...fresh, view: "welcome" }, "push")}
      keysPart={KeysPart}
      runs={runs}
    />
  );
}

function choicesIn(list: RunListSnapshot | null) {
  return (list?.runs ?? []).map(({ run, title }) => ({ run, title }));
}
