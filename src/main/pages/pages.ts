// Answers pages about a run from its journal, through the projections: what a viewer reads beside the snapshots.
// Reads only; every body is plain, bounded and frozen.

import { maxMessageBytes } from "../../shared/contract/channels.ts";
import type { PageBody, PageRequest, RunPageRequest } from "../../shared/contract/pages.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { Page, TimelineItem, TranscriptItem } from "../../shared/contract/snapshots.ts";
import { forkPointOf } from "./forkPoint.ts";
import { momentsOf } from "../domain/projections/moments.ts";
import { snapshotOf } from "../domain/projections/snapshot.ts";
import { timelinePage } from "../domain/projections/timeline.ts";
import { transcriptPage } from "../domain/projections/transcript.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { fitPage, jsonBytes, maxPageBytes, shrinkToFit } from "./fit.ts";
import type { FoldedJournal, JournalCache } from "./journalCache.ts";
import { changesPage } from "./changesPages.ts";
import { DiffReader } from "./diffPage.ts";
import { DriftReader } from "./driftReader.ts";
import { PatchReader } from "./patchReader.ts";
import { packetPage, resultPage } from "./agentPages.ts";
import { approvalPage } from "./approvalPage.ts";
import { assignmentPage, holdingsPage } from "./runPages.ts";
import { notepadPage } from "./notepadPage.ts";
import { type Moment, momentOf, unknownAgent } from "./pageMoment.ts";
import type { PageSource } from "./topicSource.ts";

/** What reads more than the journal. */
interface Readers {
  readonly git: GitPort;
  readonly patches: PatchReader;
  readonly drifts: DriftReader;
  readonly diffs: DiffReader;
}

export function createPages(journals: JournalCache, git: GitPort): PageSource<RunPageRequest> {
  const readers = { git, patches: new PatchReader(git), drifts: new DriftReader(git), diffs: new DiffReader(git) };
  return {
    async readPage(request) {
      const read = await journals.read(request.run);
      if (!read.ok) return read;
      const body = await answer(read.value, request, readers);
      return body.ok ? bounded(body.value) : body;
    },
  };
}

/** What is too long even so (text in which every character takes six bytes, one turn with a thousand calls) is clipped further. */
function bounded(body: PageBody): Result<PageBody> {
  const fitting = shrinkToFit(body, maxPageBytes);
  if (jsonBytes(fitting) > maxMessageBytes - 1_024)
    return fail({
      code: "UNEXPECTED",
      message: "This page does not fit into a message, however short its texts; read it with coppice log.",
    });
  return succeed(deepFreeze(fitting));
}

async function answer(
  journal: FoldedJournal,
  request: RunPageRequest,
  { git, patches, drifts, diffs }: Readers,
): Promise<Result<PageBody>> {
  const moment = momentOf(journal, request);
  if (!moment.ok) return moment;
  const { state, events } = moment.value;
  switch (request.kind) {
    case "snapshot":
      return succeed(snapshotOf(state));
    case "forkPoint":
      return succeed(await forkPointOf(git, state));
    case "moments":
      return succeed(momentsOf(events));
    case "timeline":
      return succeed(fitPage(timeline(journal, moment.value, request), ({ n }) => n));
    case "transcript":
      return transcript(moment.value, request);
    case "packet":
      return packetPage(moment.value, request.agent);
    case "result":
      return resultPage(moment.value, request.agent);
    case "changes":
      return changesPage(moment.value, request, drifts);
    case "patch":
      return patches.page(state, request);
    case "fileLines":
      return patches.fileLines(state, request);
    case "conflicts":
      return patches.conflicts(state, request);
    case "diff":
      return diffs.page(state, request);
    case "approval":
      return approvalPage(moment.value, request.approval);
    case "assignment":
      return succeed(assignmentPage(state));
    case "notepad":
      return succeed(notepadPage(state));
    case "holdings":
      return succeed(await holdingsPage(moment.value, git));
  }
}

/** Of now from the lanes that are kept; of an earlier moment, when bars were open that have an end now, read anew. */
function timeline(
  journal: FoldedJournal,
  { events, isNow }: Moment,
  { after, limit }: PageRequest<"timeline">,
): Page<TimelineItem> {
  return isNow ? journal.lanes.page(after, limit) : timelinePage(events, after, limit);
}

function transcript(
  { state, events }: Moment,
  { run, agent, after, limit }: PageRequest<"transcript">,
): Result<Page<TranscriptItem>> {
  if (agent !== "lead" && !state.nodes.some((node) => node.id === agent)) return fail(unknownAgent(run, agent));
  return succeed(fitPage(transcriptPage(events, agent, after, limit), ({ n }) => n));
}
