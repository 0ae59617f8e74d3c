// What stands where the runs will be: what a run is, and the ways to make one.

import { CommandLine } from "../../ui/CommandLine.tsx";
import { CoppiceMark } from "../../ui/CoppiceMark.tsx";

export interface EmptyRunsProps {
  readonly onNew: () => void;
  readonly onWelcome: () => void;
}

export function EmptyRuns({ onNew, onWelcome }: EmptyRunsProps) {
  return (
    <section className="empty" aria-labelledby="empty-title">
      <CoppiceMark size={34} />
      <h1 id="empty-title">No runs yet</h1>
      <p className="quiet">
        A run is one task on one repository. Its lead sends subagents to look, plan and write, each writer in a worktree
        of its own. What they write reaches your branch when you approve it, or as you have said beforehand.
      </p>
      <dl className="ways">
        <div>
          <dt>See one first</dt>
          <dd>
            <button type="button" className="btn large" onClick={onWelcome}>
              First steps…
            </button>
            <p className="faint small">
              With a sample repository and recorded answers: no key, no network, no cost. Then a model, and how much to
              ask.
            </p>
          </dd>
        </div>
        <div>
          <dt>Start your own</dt>
          <dd>
            <button type="button" className="btn main large" onClick={onNew}>
              New run…
            </button>
            <p className="faint small">Or in a terminal:</p>
            <CommandLine command={'coppice run --task "Find out why payments are charged twice"'} />
            <p className="faint small">In a git repository of yours.</p>
          </dd>
        </div>
      </dl>
    </section>
  );
}
