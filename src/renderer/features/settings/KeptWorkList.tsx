// Work that did not land and is kept for a while, of all runs, and the way to bring each back on a branch of its own.

import { GitBranch } from "lucide-react";
import { useState } from "react";

import type { KeptLine } from "../../../shared/contract/worktrees.ts";
import { usePage } from "../../client/Client.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { countOf, formatMoment } from "../../ui/formats.ts";
import { useAct } from "../useAct.ts";

export function KeptWorkList() {
  const { body, failure } = usePage({ kind: "keptWork" });
  return (
    <section aria-label="Kept work">
      <h3>Kept work</h3>
      <p className="faint small">What failed, was cancelled, rejected or replaced, until its 30 days are over.</p>
      <PageState
        isThere={body !== null}
        failure={failure}
        reading="The kept work is being looked for"
        lost="The kept work could not be read"
        lines={2}
      />
      {body?.kept.length === 0 && <p className="faint">There is none.</p>}
      <ul className="worktrees">
        {body?.kept.map((line) => (
          <Kept key={`${line.run} ${line.agent}`} line={line} />
        ))}
      </ul>
    </section>
  );
}

function Kept({ line: { run, title, agent, reason, branch, fileCount, until } }: { readonly line: KeptLine }) {
  const { act, isBusy, failure } = useAct();
  const [isRestored, setRestored] = useState(false);
  return (
    <li className="worktree">
      <div>
        <p className="worktree-head">
          <b className="one">{title}</b>
          <span className="faint">{agent}</span>
        </p>
        <p>
          {countOf(fileCount, "changed file")}, restorable until {formatMoment(until)}{" "}
          <code className="faint">{reason}</code>
        </p>
        {failure !== null && (
          <p className="bad" role="alert">
            {failure.message}
          </p>
        )}
      </div>
      {isRestored ? (
        <p role="status">
          On <code>{branch}</code>
        </p>
      ) : (
        <button
          type="button"
          className="btn"
          disabled={isBusy}
          title={`Puts it on ${branch}; nothing else moves`}
          aria-label={`Restore the work of ${agent} in ${title}`}
          onClick={() => void act({ type: "restore", run, agent }).then((receipt) => setRestored(receipt !== null))}
        >
          <GitBranch size={13} aria-hidden="true" /> Restore
        </button>
      )}
    </li>
  );
}
