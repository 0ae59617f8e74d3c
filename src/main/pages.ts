// Answers pages about a run from its journal, through the projections: what a viewer reads beside the snapshots.
// Reads only; every body is plain, bounded and frozen.

import type { PageBodies, PageBody, PageKind, PageRequest } from "../shared/contract/pages.ts";
import { deepFreeze } from "../shared/lib/deepFreeze.ts";
import { fail, type Result, succeed } from "../shared/lib/result.ts";
import type { Page, TranscriptItem } from "../shared/contract/snapshots.ts";
import type { RunEvent } from "./domain/events.ts";
import { momentsOf } from "./domain/projections/moments.ts";
import { snapshotOf } from "./domain/projections/snapshot.ts";
import { timelinePage } from "./domain/projections/timeline.ts";
import { transcriptPage } from "./domain/projections/transcript.ts";
import type { RunState } from "./domain/state.ts";
import type { GitPort } from "./engine/ports/git.ts";
import { excerptOf, fitPage, jsonBytes, maxPageBytes } from "./fit.ts";
import type { FoldedJournal, JournalCache } from "./journalCache.ts";
import { changesPage, PatchReader } from "./changesPages.ts";
import { packetPage, resultPage } from "./agentPages.ts";
import type { PageSource } from "./topicSource.ts";

/** A run as of the moment that a page asks for. */
export interface Moment {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly isNow: boolean;
}

export function createPages(journals: JournalCache, git: GitPort): PageSource {
  const patches = new PatchReader(git);
  return {
    async readPage(request) {
      const read = await journals.read(request.run);
      if (!read.ok) return read;
      const body = await answer(read.value, request, git, patches);
      return body.ok ? succeed(deepFreeze(body.value)) : body;
    },
  };
}

async function answer(journal: FoldedJournal, request: PageRequest, git: GitPort, patches: PatchReader): Promise<Result<PageBody>> {
  const moment = momentOf(journal, request);
  if (!moment.ok) return moment;
  const { state, events } = moment.value;
  switch (request.kind) {
    case "snapshot":
      return succeed(snapshotOf(state));
    case "moments":
      return succeed(momentsOf(events));
    case "timeline":
      return succeed(fitPage(timelinePage(events, request.after, request.limit), ({ n }) => n));
    case "transcript":
      return transcript(moment.value, request);
    case "packet":
      return packetPage(moment.value, request.agent);
    case "result":
      return resultPage(moment.value, request.agent);
    case "changes":
      return changesPage(moment.value, request, git);
    case "patch":
      return patches.page(state, request);
  }
}

/** Codes `BAD_USAGE`: there is no such ordinal. */
function momentOf(journal: FoldedJournal, request: PageRequest): Result<Moment> {
  const last = journal.events.length;
  const at = request.kind === "snapshot" ? request.at : "upTo" in request ? request.upTo : undefined;
  if (at === undefined) return succeed({ state: journal.state, events: journal.events, isNow: true });
  if (at < 1 || at > last) {
    return fail({ code: "BAD_USAGE", message: `The journal of ${request.run} is numbered 1 to ${last}; there is no event ${at}.` });
  }
  return succeed({ state: journal.stateAt(at), events: at === last ? journal.events : journal.events.slice(0, at), isNow: false });
}

function transcript({ state, events }: Moment, { run, agent, after, limit }: PageRequest<"transcript">): Result<Page<TranscriptItem>> {
  if (agent !== "lead" && !state.nodes.some((node) => node.id === agent)) return fail(unknownAgent(run, agent));
  return succeed(clipRows(fitPage(transcriptPage(events, agent, after, limit), ({ n }) => n)));
}

/** The rows of one event stay together, so an event with too much to say says less of each. */
function clipRows(page: Page<TranscriptItem>): Page<TranscriptItem> {
  if (jsonBytes(page.items) <= maxPageBytes) return page;
  // Six bytes is the most that JSON takes for one character; titles and the rest of a row take their part too.
  const share = Math.max(40, Math.floor(maxPageBytes / page.items.length / 6) - 60);
  return { ...page, items: page.items.map((item) => ({ ...item, title: excerptOf(item.title, 60), text: excerptOf(item.text, share) })) };
}

export function unknownAgent(run: string, agent: string) {
  return { code: "UNKNOWN_SUBAGENT", message: `${run} has no ${agent} at this moment.` };
}

export type BodyOf<K extends PageKind> = PageBodies[K];
