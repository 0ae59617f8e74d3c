// Where the file conflicts with its target, place by place, and what is chosen there. Nothing in anybody's checkout has markers.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { ChangesPage, ChangedFile, ConflictsPage } from "../../../shared/contract/pages.ts";
import type { ConflictPick } from "../../../shared/contract/resolutions.ts";
import { usePage } from "../../client/Client.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { countOf } from "../../ui/formats.ts";
import { ConflictPlace, WholePlace } from "./ConflictPlace.tsx";
import { isRejected } from "./draft.ts";
import type { ReviewDraft } from "./draft.ts";
import { pickAt, picksOf } from "./resolutions.ts";
import type { ChangeDraft } from "./useDraft.ts";

export interface ConflictPanelProps {
  readonly run: RunId;
  readonly changes: ChangesPage;
  readonly file: ChangedFile;
  readonly draft: ReviewDraft;
  readonly change: ChangeDraft;
  readonly canDecide: boolean;
}

export function ConflictPanel({ run, changes, file, draft, change, canDecide }: ConflictPanelProps) {
  const { changeset, drift } = changes;
  const { path } = file;
  const accepted = acceptedOf(file, draft);
  const query = { kind: "conflicts", run, changeset, path, ...(accepted === null ? {} : { accepted }) } as const;
  const { body, failure } = usePage(query, drift?.tip);
  if (body === null || failure !== null)
    return (
      <PageState
        failure={failure}
        reading="The conflict is being read"
        lost="The conflict could not be read"
        lines={2}
      />
    );
  if (body.kind === "none") return null;
  const isTooMany = body.regionCount > body.regions.length;
  const picks = picksOf(draft, body);
  const onPick =
    canDecide && !isTooMany
      ? (index: number, pick: ConflictPick | null) => change((before) => pickAt(before, body, index, pick))
      : null;
  return (
    <details className="conflict" open>
      <summary>
        <b>{headline(body, changes)}</b>
        {canDecide && <span className="faint">{advice(changes, picks, isTooMany)}</span>}
      </summary>
      <ScrollBox className="conflict-places" label="Conflicts">
        <Places changes={changes} body={body} picks={picks} onPick={onPick} />
      </ScrollBox>
    </details>
  );
}

interface PlacesProps extends Pick<ConflictPanelProps, "changes"> {
  readonly body: ConflictsPage;
  readonly picks: readonly (ConflictPick | null)[];
  readonly onPick: ((index: number, pick: ConflictPick | null) => void) | null;
}

function Places({ changes, body, picks, onPick }: PlacesProps) {
  const { target, agent, checks } = changes;
  const at = (index: number) => ({
    number: index + 1,
    target,
    agent,
    pick: picks[index] ?? null,
    onPick: onPick && ((pick: ConflictPick | null) => onPick(index, pick)),
  });
  if (body.kind === "whole")
    return <WholePlace {...at(0)} isGoneThere={body.target === null} isGoneHere={body.proposed === null} />;
  return body.regions.map((region, index) => (
    <ConflictPlace key={`${index} ${region.line}`} {...at(index)} region={region} isChecked={checks.length > 0} />
  ));
}

/** `null`: all of the file, as it is proposed. */
function acceptedOf({ path, hunkCount }: ChangedFile, draft: ReviewDraft) {
  const amendments = draft.amendments.filter((one) => one.path === path);
  const numbers = Array.from({ length: hunkCount }, (_, at) => at + 1);
  const hunks = numbers.filter((number) => !isRejected(draft, { path, number }));
  return hunks.length === hunkCount && amendments.length === 0 ? null : { hunks, amendments };
}

function headline({ kind, regionCount }: ConflictsPage, { target }: ChangesPage): string {
  return kind === "whole"
    ? `This file and that of ${target} cannot be merged`
    : `${countOf(regionCount, "place")} changed on ${target} since, otherwise than here`;
}

function advice({ isLine, target }: ChangesPage, picks: readonly (ConflictPick | null)[], isTooMany: boolean): string {
  const open = picks.filter((pick) => pick === null).length;
  const otherwise = isLine
    ? "leave out the hunks in question, or reject it"
    : `leave out the hunks in question, send it back with ${target} for it to resolve, or reject it`;
  if (isTooMany) return `There are too many to choose here: ${otherwise}.`;
  if (open === 0) return "All chosen: it lands like this, once the checks have passed on it.";
  return `Choose what lands, ${open === picks.length ? "" : `${open} to go, `}or ${otherwise}.`;
}
