// What became of a change set that cannot be decided any more: the commit that it landed as, a way to undo that, and who went on
// from it.

import type { ChangeSetId } from "../../../shared/contract/ids.ts";
import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { useAct } from "../useAct.ts";
import { dependentsOf, startedWords } from "./dependents.ts";

const outcomes: Readonly<Record<string, readonly [Shape, string]>> = {
  proposed: ["waiting", "Its checks are still running"],
  approved: ["landing", "Landing"],
  landing: ["landing", "Landing"],
  landed: ["landed", "Landed"],
  rejected: ["rejected", "Rejected"],
  sent_back: ["recovered", "Sent back"],
  replaced: ["recovered", "Replaced by a later one"],
  withdrawn: ["stopped", "Withdrawn"],
};

export interface OutcomeBarProps {
  readonly snapshot: RunSnapshot;
  readonly changes: ChangesPage;
  readonly onReview: (changeset: ChangeSetId) => void;
}

export function OutcomeBar({ snapshot, changes, onReview }: OutcomeBarProps) {
  const { landing, status, target, agent } = changes;
  const { act, isBusy, failure } = useAct();
  const [shape, word] = outcomes[status] ?? (["stopped", status] as const);
  const started = landing === null ? "" : startedWords(dependentsOf(snapshot, agent));
  const next = nextOf(snapshot, changes);
  return (
    <footer className="decide">
      <span role="status" className="landing-line">
        {landing === null ? <Mark shape={shape} word={word} /> : <Landing landing={landing} target={target} />}
        {started !== "" && <span className="faint"> · {started}</span>}
      </span>
      {failure !== null && (
        <span className="bad decide-failure" role="alert">
          {failure.message}
        </span>
      )}
      {next !== null && (
        <span className="decide-acts">
          <button type="button" className="btn large" onClick={() => onReview(next)}>
            Review {next}…
          </button>
        </span>
      )}
      {landing?.status === "landed" && (
        <span className="decide-acts">
          <button
            type="button"
            className="btn large"
            disabled={isBusy}
            onClick={() => void act({ type: "undo", landing: landing.landing })}
          >
            Undo
          </button>
        </span>
      )}
    </footer>
  );
}

/** What the author of one that is over has proposed since, and that waits to be reviewed. */
function nextOf({ approvals }: RunSnapshot, { agent, changeset, status }: ChangesPage): ChangeSetId | null {
  if (status !== "replaced" && status !== "sent_back") return null;
  return approvals.find((one) => one.agent === agent && one.changeset !== changeset)?.changeset ?? null;
}

interface LandingProps {
  readonly landing: NonNullable<ChangesPage["landing"]>;
  readonly target: string;
}

function Landing({ landing: { commit, status, undo }, target }: LandingProps) {
  const name = <code>{commit.slice(0, 7)}</code>;
  if (status === "landed")
    return (
      <>
        <Mark shape="landed" word="Landed" /> {name} on <code>{target}</code>
      </>
    );
  if (status === "takingBack")
    return (
      <>
        <Mark shape="landing" word="Taking back…" /> {name} on <code>{target}</code>
      </>
    );
  return (
    <>
      <Mark shape="recovered" word="Landed, and taken back since" /> {name}
      {undo !== null && (
        <>
          , by <code>{undo.slice(0, 7)}</code>
        </>
      )}{" "}
      on <code>{target}</code>
    </>
  );
}
