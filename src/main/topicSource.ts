// What every shell is given: something that can be asked for a topic and goes on telling about it.
// The workbench answers it; a shell never learns where snapshots come from.

import type { RunListSnapshot, RunSnapshot } from "../shared/contract/snapshots.ts";
import type { Topic } from "../shared/contract/topics.ts";
import type { Result } from "../shared/lib/result.ts";

export type TopicSnapshot = RunListSnapshot | RunSnapshot;

export interface TopicSubscription {
  /** The topic as of now. */
  readonly first: TopicSnapshot;
  /** Ends the subscription. Nothing is told after it returns; calling it again does nothing. */
  unsubscribe(): void;
}

export interface TopicSource {
  /**
   * Answers with the topic's first snapshot, then tells `onSnapshot` about newer ones, in order.
   * Never rejects: a run that is not there is a failure `RUN_NOT_FOUND`.
   */
  subscribe(topic: Topic, onSnapshot: (snapshot: TopicSnapshot) => void): Promise<Result<TopicSubscription>>;
}
