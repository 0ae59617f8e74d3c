// Two runs beside each other: the graphs, what each took and what came of it. The graphs are passed in, since features do
// not know each other.

import { ArrowLeftRight } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { usePage, useTopic } from "../../client/Client.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { formatMoment } from "../../ui/formats.ts";
import { FigureTable } from "./FigureTable.tsx";
import { likelyRival, type Side } from "./figures.ts";

export interface CompareScreenProps {
  readonly run: RunId | null;
  /** `null`: the likeliest. */
  readonly beside: RunId | null;
  readonly onChoose: (run: RunId, beside: RunId) => void;
  readonly onOpen: (run: RunId) => void;
  readonly picture: (snapshot: RunSnapshot) => ReactNode;
}

export function CompareScreen({ run, beside, onChoose, onOpen, picture }: CompareScreenProps) {
  const { snapshot: list, failure } = useTopic("runs");
  const runs = list?.runs ?? [];
  const left = run ?? runs[0]?.run ?? null;
  const right = beside ?? (left === null ? null : likelyRival(runs, left));
  if (list === null)
    return (
      <main className="middle" data-region="run" tabIndex={-1}>
        <PageState failure={failure} reading="The runs are being read" lost="The runs could not be read" lines={6} />
      </main>
    );
  if (left === null || right === null)
    return (
      <main className="middle" data-region="run" tabIndex={-1}>
        <p className="compare-none quiet">
          There is nothing to compare yet: it takes two runs. The same task can be run again from the menu of a run,
          under another policy or on another model.
        </p>
      </main>
    );
  return (
    <main className="middle compare" data-region="run" tabIndex={-1} aria-labelledby="compare-title">
      <h1 id="compare-title" className="heard">
        Two runs compared
      </h1>
      <header className="compare-top">
        <RunChoice label="First run" runs={runs} chosen={left} onChoose={(next) => onChoose(next, right)} />
        <button
          type="button"
          className="btn bare"
          aria-label="Swap the two"
          title="Swap the two"
          onClick={() => onChoose(right, left)}
        >
          <ArrowLeftRight size={15} aria-hidden="true" />
        </button>
        <RunChoice label="Second run" runs={runs} chosen={right} onChoose={(next) => onChoose(left, next)} />
      </header>
      <Comparison key={`${left} ${right}`} runs={[left, right]} onOpen={onOpen} picture={picture} />
    </main>
  );
}

interface RunChoiceProps {
  readonly label: string;
  readonly runs: readonly RunListItem[];
  readonly chosen: RunId;
  readonly onChoose: (run: RunId) => void;
}

function RunChoice({ label, runs, chosen, onChoose }: RunChoiceProps) {
  const id = useId();
  const isListed = runs.some(({ run }) => run === chosen);
  return (
    <span className="compare-choice">
      <label htmlFor={id} className="heard">
        {label}
      </label>
      <select id={id} value={chosen} onChange={(event) => onChoose(event.currentTarget.value as RunId)}>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {runs.map(({ run, title, createdAt }) => (
          <option key={run} value={run}>
            {title} ({formatMoment(createdAt)})
          </option>
        ))}
      </select>
    </span>
  );
}

interface ComparisonProps extends Pick<CompareScreenProps, "onOpen" | "picture"> {
  readonly runs: readonly [RunId, RunId];
}

function Comparison({ runs: [left, right], onOpen, picture }: ComparisonProps) {
  const [one, other] = [useSide(left), useSide(right)];
  const failure = one.failure ?? other.failure;
  if (failure !== null || one.side === null || other.side === null)
    return (
      <PageState failure={failure} reading="The two runs are being read" lost="The runs could not be read" lines={6} />
    );
  const sides = [one.side, other.side] as const;
  return (
    <>
      <div className="compare-pair compare-graphs">
        {sides.map(({ snapshot }, index) => (
          <section key={index} aria-label={index === 0 ? "Graph of the first" : "Graph of the second"}>
            {picture(snapshot)}
          </section>
        ))}
      </div>
      <FigureTable one={one.side} other={other.side} onOpen={onOpen} />
      <div className="compare-pair">
        {sides.map(({ snapshot }, index) => (
          <section key={index} className="compare-answer">
            <h2>{index === 0 ? "Answer of the first" : "Answer of the second"}</h2>
            {snapshot.answer === null || snapshot.answer === "" ? (
              <p className="faint">None.</p>
            ) : (
              <Markdown text={snapshot.answer} />
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function useSide(run: RunId): { readonly side: Side | null; readonly failure: Failure | null } {
  const { snapshot, failure } = useTopic(`run/${run}`);
  const { body } = usePage({ kind: "assignment", run });
  return { side: snapshot === null ? null : { snapshot, assignment: body }, failure };
}
