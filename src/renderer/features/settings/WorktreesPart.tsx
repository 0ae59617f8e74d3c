// The worktrees of all runs: what git, the disk and the journal say of each, and what can be done about one. No act loses work.

import { Check, Minus, RefreshCw } from "lucide-react";
import { useState } from "react";

import type { WorktreeAct, WorktreeLine } from "../../../shared/contract/worktrees.ts";
import { usePage } from "../../client/Client.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { KeptWorkList } from "./KeptWorkList.tsx";
import { folderName, formatBytes } from "../../ui/formats.ts";
import { Spoken } from "../Spoken.tsx";
import { useCare } from "../useCare.ts";
import { actWords, standingMarks, standingSentence } from "./worktreeWords.ts";

export function WorktreesPart() {
  const [version, setVersion] = useState(0);
  const { body, failure } = usePage({ kind: "worktrees" }, version);
  const { body: storage } = usePage({ kind: "storage" }, version);
  const [said, take] = useCare();
  const lookAgain = () => setVersion((before) => before + 1);
  const mend = ({ path }: WorktreeLine, act: WorktreeAct) =>
    void take({ type: "mendWorktree", path, act }).then(lookAgain);
  return (
    <>
      <p className="quiet">
        Each executor works in a worktree of its own below the data folder, never in your checkout. A run clears up its
        own; what a crash or somebody’s hand has left shows here.
      </p>
      <p className="quiet">
        It begins at a commit. Files that git ignores and <code>.worktreeinclude</code> lists are copied into it, and
        the set-up of the run or of the repository runs, before anybody works there.
      </p>
      <PageState
        isThere={body !== null}
        failure={failure}
        reading="The worktrees are being looked at"
        lost="The worktrees could not be read"
        lines={4}
      />
      {body !== null && (
        <section aria-label="Worktrees">
          <h3>Worktrees</h3>
          <p className="faint small">
            <code>{body.folder}</code>
            {storage !== null &&
              `, ${storage.isPartial ? "at least " : ""}${formatBytes(storage.worktrees)} with the copies that readers have`}
          </p>
          {body.worktrees.length === 0 && (
            <p className="faint">There is none: every run has cleared up after itself.</p>
          )}
          <ul className="worktrees">
            {body.worktrees.map((line) => (
              <Worktree key={line.path} line={line} isBusy={said === "busy"} onAct={(act) => mend(line, act)} />
            ))}
          </ul>
          {body.total > body.worktrees.length && (
            <p className="faint">
              The first {body.worktrees.length} of {body.total}.
            </p>
          )}
          <div className="care-act">
            <button type="button" className="btn" disabled={said === "busy"} onClick={lookAgain}>
              <RefreshCw size={13} aria-hidden="true" /> Look again
            </button>
            <Spoken
              said={said}
              busy="Seeing to it…"
              rest="What a worktree holds is on a branch before anything is removed."
            />
          </div>
        </section>
      )}
      <KeptWorkList />
    </>
  );
}

interface WorktreeProps {
  readonly line: WorktreeLine;
  readonly isBusy: boolean;
  readonly onAct: (act: WorktreeAct) => void;
}

function Worktree({ line, isBusy, onAct }: WorktreeProps) {
  const [isAsking, setAsking] = useState(false);
  const { path, act, standing, title, agent, isRegistered, isOnDisk, isInJournal } = line;
  const [shape, word] = standingMarks[standing];
  const name = folderName(path);
  const words = act === null ? null : actWords(act, line);
  return (
    <li className="worktree">
      <div>
        <p className="worktree-head">
          <Mark shape={shape} word={word} />
          <b className="one">{title ?? "No run here"}</b>
          {agent !== null && <span className="faint">{agent}</span>}
        </p>
        <p>{standingSentence(line)}</p>
        <p className="worktree-facts">
          <code className="one" title={path}>
            {name}
          </code>
          <Fact label="in git" holds={isRegistered} />
          <Fact label="on disk" holds={isOnDisk} />
          <Fact label="in the journal" holds={isInJournal} />
        </p>
      </div>
      {act !== null && words !== null && (
        <button
          type="button"
          className="btn"
          disabled={isBusy}
          aria-label={`${words.verb}: ${name}`}
          onClick={() => (words.consequences.length === 0 ? onAct(act) : setAsking(true))}
        >
          {words.verb}
          {words.consequences.length > 0 && "…"}
        </button>
      )}
      {isAsking && act !== null && words !== null && (
        <ConfirmDialog
          title={`${words.verb} ${name}?`}
          keep="Leave it"
          act={words.verb}
          onAct={() => onAct(act)}
          onClose={() => setAsking(false)}
        >
          {words.consequences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </ConfirmDialog>
      )}
    </li>
  );
}

function Fact({ label, holds }: { readonly label: string; readonly holds: boolean }) {
  return (
    <span className={holds ? "good" : "faint"}>
      {holds ? <Check size={11} aria-hidden="true" /> : <Minus size={11} aria-hidden="true" />}{" "}
      {holds ? label : `not ${label}`}
    </span>
  );
}
