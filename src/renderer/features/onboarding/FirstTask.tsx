// The last of the first steps: something to ask for, in a repository of one's own or in the sample.

import { ArrowRight } from "lucide-react";

export interface FirstTaskProps {
  /** Opens the form of a new run with this task in it. */
  readonly onTask: (task: string) => void;
}

const suggestions: readonly (readonly [title: string, task: string, about: string])[] = [
  [
    "Understand it",
    "Explain how this project is built: its main parts, how a request goes through them, and where its tests are weak. Change nothing.",
    "Only readers: nothing is written.",
  ],
  [
    "Find a bug",
    "Look for a bug that a user could run into. Prove it with a failing test, then fix it and show that the test passes.",
    "Readers first, then a writer in a worktree.",
  ],
  [
    "Tidy up",
    "Find the function that is hardest to read, and make it clear without changing what it does. Its tests must still pass.",
    "One writer, and a review of what it did.",
  ],
];

export function FirstTask({ onTask }: FirstTaskProps) {
  return (
    <div className="first-task">
      <p className="quiet">Choose one to begin with, or write your own. Nothing is spent until you start it.</p>
      <ul>
        {suggestions.map(([title, task, about]) => (
          <li key={title}>
            <button type="button" className="suggestion" onClick={() => onTask(task)}>
              <b>
                {title} <ArrowRight size={13} aria-hidden="true" />
              </b>
              <span>{task}</span>
              <small className="faint">{about}</small>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="btn" onClick={() => onTask("")}>
        Write my own…
      </button>
    </div>
  );
}
