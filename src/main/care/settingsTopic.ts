// The settings as a topic: the first snapshot at once, a newer one after each change, whoever made it.

import type { SettingsSnapshot } from "../../shared/contract/settings.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { TopicSnapshot, TopicSubscription } from "../pages/topicSource.ts";
import type { Environment } from "../runs/runDefaults.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { keyOf } from "../runs/providers.ts";

export interface SettingsTopicParts {
  readonly settings: SettingsStore;
  readonly keys: KeyStore;
  readonly env: Environment;
}

export async function followSettings(
  parts: SettingsTopicParts,
  onSnapshot: (snapshot: TopicSnapshot) => void,
): Promise<Result<TopicSubscription>> {
  let version = 1;
  let isEnded = false;
  const unfollow = parts.settings.onChange(() => {
    const own = (version += 1);
    void snapshotOf(parts, own).then((snapshot) => {
      // A later change has overtaken this one.
      if (!isEnded && own === version) onSnapshot(snapshot);
    });
  });
  const first = await snapshotOf(parts, 1);
  return succeed({
    first,
    unsubscribe: () => {
      isEnded = true;
      unfollow();
    },
  });
}

async function snapshotOf({ settings, keys, env }: SettingsTopicParts, version: number): Promise<SettingsSnapshot> {
  const held = settings.current();
  const found = await Promise.all(
    held.providers.map(async (provider) => ((await keyOf(provider, env, keys)) === null ? [] : [provider.id])),
  );
  return deepFreeze({
    version,
    file: settings.file,
    settings: held,
    problem: settings.problem(),
    keychain: keys.place,
    keysFound: found.flat(),
  });
}
