// One open approval with all that is known of it and the ways to decide. Stands in the inspector and beside the inbox.

import { useState } from "react";
import type { FormEvent } from "react";

import type { ChangeSetId } from "../../../shared/contract/ids.ts";
import { CommandLine } from "../../ui/CommandLine.tsx";
import { Key } from "../../ui/Key.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { formatAge, formatTime } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { useAct } from "../useAct.ts";
import type { Act } from "../useAct.ts";
import { approving, askerOf, rejecting, scopes, wordsOf } from "./ask.ts";
import type { Ask, Scope } from "./ask.ts";

export interface AskCardProps {
  readonly ask: Ask;
  readonly onReview: (changeset: ChangeSetId) => void;
}

export function AskCard({ ask, onReview }: AskCardProps) {
  const { approval, run } = ask;
  const { id, kind, summary, since, changeset } = approval;
  const words = wordsOf(approval);
  const now = useNow(1_000);
  const work = useAct();
  const { name, role } = askerOf(ask);
  return (
    <section className="ask" aria-label={`${words.kind}: ${summary}`}>
      <h3>
        <Mark shape={words.shape} word={words.question} />
        <span className="ask-since fig">
          since {formatTime(since)}, {formatAge(since, now)}
        </span>
      </h3>
      {kind === "command" ? <CommandLine command={summary} /> : <p className="ask-summary">{summary}</p>}
      <dl className="facts">
        <div>
          <dt>Who</dt>
          <dd>{name === "Lead" ? "the lead" : `${name}, ${role}`}</dd>
        </div>
        <div>
          <dt>Where</dt>
          <dd>{whereOf(ask)}</dd>
        </div>
        <div>
          <dt>Run</dt>
          <dd>{run.title}</dd>
        </div>
      </dl>
      {kind === "question" && <AnswerForm key={id} ask={ask} work={work} />}
      {kind === "changeset" && changeset !== undefined && (
        <div className="ask-acts">
          <button type="button" className="btn main" onClick={() => onReview(changeset)}>
            Review…
          </button>
        </div>
      )}
      {kind !== "question" && kind !== "changeset" && <YesOrNo key={id} ask={ask} work={work} />}
      {work.failure !== null && (
        <Notice title="It could not be decided" message={work.failure.message} code={work.failure.code} />
      )}
    </section>
  );
}

/** Where it would happen, as far as the run's picture says. */
function whereOf({ approval: { kind, agent }, run }: Ask): string {
  if (kind === "changeset") return `lands on ${run.target}`;
  return agent === "lead" ? run.repo : `the worktree of ${agent}, of ${run.repo}`;
}

interface WorkProps {
  readonly ask: Ask;
  readonly work: Act;
}

function YesOrNo({ ask, work: { act, isBusy } }: WorkProps) {
  const [scope, setScope] = useState<Scope>("once");
  const { yes, no } = wordsOf(ask.approval);
  const isCommand = ask.approval.kind === "command";
  return (
    // a and x decide while the focus is in here; its buttons are what can be focused.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="ask-acts"
      onKeyDown={(event) => {
        if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "a") void act(approving(ask, scope));
        if (event.key === "x") void act(rejecting(ask));
      }}
    >
      <button
        type="button"
        className="btn main"
        aria-keyshortcuts="a"
        disabled={isBusy}
        onClick={() => void act(approving(ask, scope))}
      >
        {isCommand && scope !== "once" ? "Allow" : yes} <Key name="a" />
      </button>
      {isCommand && (
        <select
          aria-label="How far it reaches"
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value as Scope)}
        >
          {scopes.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
      <button
        type="button"
        className="btn"
        aria-keyshortcuts="x"
        disabled={isBusy}
        onClick={() => void act(rejecting(ask))}
      >
        {no} <Key name="x" />
      </button>
    </div>
  );
}

function AnswerForm({ ask, work: { act, isBusy } }: WorkProps) {
  const [text, setText] = useState("");
  function send(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== "") void act({ type: "answer", approval: ask.approval.id, value: text.trim(), resumes: true });
  }
  return (
    <form className="ask-acts" onSubmit={send}>
      <input aria-label="Your answer" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <button type="submit" className="btn main" disabled={isBusy || text.trim() === ""}>
        Answer
      </button>
    </form>
  );
}
