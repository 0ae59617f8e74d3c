// What every shell is given: something that can be asked for a topic and goes on telling about it, that answers pages,
// and that has commands carried out. A shell never learns where any of it comes from.

import type { CareReceipt } from "../../shared/contract/care.ts";
import type { CommandEnvelope, CommandReceipt } from "../../shared/contract/commands.ts";
import type { ContentPiece, ContentRequest } from "../../shared/contract/content.ts";
import type { PageBody, PageRequest } from "../../shared/contract/pages.ts";
import type { Topic, TopicSnapshot } from "../../shared/contract/topics.ts";
import type { Result } from "../../shared/lib/result.ts";

export type { TopicSnapshot };

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

export interface PageSource<Request = PageRequest> {
  /** Answers with a frozen body of at most 200 KiB. Codes `RUN_NOT_FOUND`, `UNKNOWN_SUBAGENT`, `CHANGE_SET_NOT_FOUND`, `BAD_USAGE`. */
  readPage(request: Request): Promise<Result<PageBody>>;
}

export interface ContentSource {
  /** Answers with a piece of a transcript row's whole text. Codes `RUN_NOT_FOUND`, `UNKNOWN_SUBAGENT`, `BAD_USAGE`. */
  readContent(request: ContentRequest): Promise<Result<ContentPiece>>;
}

export interface CommandSource<Command = CommandEnvelope["command"], Receipt = CommandReceipt | CareReceipt> {
  /** Has a command carried out, once for each id. Codes: those of what it asks for. */
  execute(envelope: CommandEnvelope<Command>): Promise<Result<Receipt>>;
}

/** All that stands behind a shell's channels. */
export interface ShellSource extends TopicSource, PageSource, ContentSource, CommandSource {}
