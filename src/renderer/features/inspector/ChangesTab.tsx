// The change sets of an agent: files with what they gain and lose, how they stand, and the way into their review.

import type { AgentId, ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { countOf } from "../../ui/formats.ts";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { PlaceActs } from "../PlaceActs.tsx";
import { CopyPatch } from "../CopyPatch.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { useHeldPage } from "./useHeldPage.ts";

export interface ChangesTabProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly version: number;
  readonly at: number | null;
  /** Change sets that the snapshot names. One that was rejected or sent back is known from the result alone. */
  readonly known: readonly ChangeSetId[];
  readonly onReview: ((changeset: ChangeSetId) => void) | null;
}

export function ChangesTab({ run, agent, version, at, known, onReview }: ChangesTabProps) {
  const moment = at === null ? {} : { upTo: at };
  const { body, failure } = useHeldPage({ kind: "result", run, agent, ...moment }, version, `${run} ${agent}`);
  if (body === null)
    return (
      <PageState
        failure={failure}
        reading="The list of changes is being read"
        lost="The list of changes could not be read"
      />
    );
  const last = body.observed.changeset;
  const sets = last === null || known.includes(last) ? known : [last, ...known];
  return (
    <ScrollBox className="inspector-scroll" label="Changes">
      {sets.length === 0 && <p className="inspector-empty">It has proposed no changes.</p>}
      {sets.map((changeset) => (
        <ChangeSetView
          key={changeset}
          run={run}
          agent={agent}
          changeset={changeset}
          version={version}
          at={at}
          onReview={onReview}
        />
      ))}
    </ScrollBox>
  );
}

const statuses: Readonly<Record<string, readonly [Shape, string]>> = {
  proposed: ["ready", "Ready to review"],
  open: ["ready", "Ready to review"],
  approved: ["landing", "Landing"],
  landing: ["landing", "Landing"],
  landed: ["landed", "Landed"],
  held: ["needs-you", "Held"],
  rejected: ["rejected", "Rejected"],
  sent_back: ["recovered", "Sent back"],
  replaced: ["stopped", "Replaced by a later one"],
  withdrawn: ["stopped", "Withdrawn"],
};

/** While it is not settled, the worktree that it was made in is there. */
const hasWorktree: ReadonlySet<string> = new Set(["proposed", "open", "held", "sent_back"]);

interface ChangeSetViewProps extends Pick<ChangesTabProps, "run" | "agent" | "version" | "at" | "onReview"> {
  readonly changeset: ChangeSetId;
}

function ChangeSetView({ run, agent, changeset, version, at, onReview }: ChangeSetViewProps) {
  const moment = at === null ? {} : { upTo: at };
  const { body, failure } = useHeldPage({ kind: "changes", run, changeset, ...moment }, version, changeset);
  if (body === null)
    return (
      <PageState failure={failure} reading="The change set is being read" lost="The change set could not be read" />
    );
  const { status, target, held, files, fileCount, hunkCount } = body;
  const [shape, word] = statuses[status] ?? (["stopped", status] as const);
  return (
    <section className="passage">
      <h3 className="change-head">
        <Mark shape={shape} word={word} />
        <span className="faint">
          {countOf(hunkCount, "hunk")} in {countOf(fileCount, "file")} for <code>{target}</code>
        </span>
      </h3>
      {held !== null && (
        <p className="prose">
          {held.sentence} <code className="faint">{held.code}</code>
        </p>
      )}
      <ul className="changed-files">
        {files.items.map(({ path, change, added, removed }) => (
          <li key={path}>
            <code className="one" title={path}>
              {path}
            </code>
            {change !== "modified" && <span className="faint">{change}</span>}
            <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
          </li>
        ))}
        {files.next !== null && <li className="faint">and {fileCount - files.items.length} more</li>}
      </ul>
      <div className="change-acts">
        {onReview !== null && (
          <button type="button" className="btn" onClick={() => onReview(changeset)}>
            Review…
          </button>
        )}
        <CopyPatch run={run} changeset={changeset} />
      </div>
      {at === null && hasWorktree.has(status) && <PlaceActs run={run} agent={agent} />}
    </section>
  );
}
