// Yes or no, how far the yes reaches, and what the agent is told with a no. a and x decide while the focus is in here.

import { useId, useState } from "react";
import type { KeyboardEvent } from "react";

import type { ApprovalPage, ApprovalScope } from "../../../shared/contract/runPages.ts";
import type { ApprovalSnapshot } from "../../../shared/contract/snapshots.ts";
import { Key } from "../../ui/Key.tsx";
import { useHeardKeys } from "../../ui/keyNames.ts";
import type { Act } from "../useAct.ts";
import { approving, isEven, rejecting, scopesOf, sendingBack, wordsOf } from "./ask.ts";

export interface YesOrNoProps {
  readonly approval: ApprovalSnapshot;
  /** `null` until it has come. */
  readonly page: ApprovalPage | null;
  readonly work: Act;
  readonly isRoomy: boolean;
}

export function YesOrNo({ approval, page, work: { act, isBusy }, isRoomy }: YesOrNoProps) {
  const [scope, setScope] = useState<ApprovalScope>("once");
  const [comment, setComment] = useState("");
  const { yes, no } = wordsOf(approval);
  const scopes = scopesOf(approval, page);
  // A template fixes its graph; a plan of the lead's can be written anew.
  const isPlannable = page?.plan != null && !page.plan.isFixed;
  const [yesKeys, noKeys] = [useHeardKeys("ask.approve", "a"), useHeardKeys("ask.reject", "x")];
  const approve = () => void act(approving(approval, scope));
  const reject = () => void act(rejecting(approval, comment));
  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLSelectElement || isTextField(event.target);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "a") approve();
    else if (event.key === "x") reject();
    else return;
    event.preventDefault();
  }
  return (
    // Its buttons are what can be focused; the keys are theirs.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="yes-or-no ask-card" onKeyDown={press}>
      {scopes.length > 1 && <Scopes scopes={scopes} chosen={scope} onChoose={setScope} isRoomy={isRoomy} />}
      {((isRoomy && approval.kind === "command") || isPlannable) && (
        <input
          className="why-not"
          aria-label={isPlannable ? "What is to be planned otherwise" : "What the agent is told with a no"}
          placeholder={isPlannable ? "What is to be planned otherwise" : "With a no: what to do instead"}
          maxLength={10_000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
      <div className="ask-acts">
        <button
          type="button"
          className={isEven(approval) ? "btn" : "btn main"}
          aria-keyshortcuts={yesKeys}
          disabled={isBusy}
          onClick={approve}
        >
          {approval.kind === "command" && scope !== "once" ? "Allow" : yes} <Key name="a" of="ask.approve" />
        </button>
        <button type="button" className="btn" aria-keyshortcuts={noKeys} disabled={isBusy} onClick={reject}>
          {no} <Key name="x" of="ask.reject" />
        </button>
        {isPlannable && (
          <button
            type="button"
            className="btn"
            disabled={isBusy || comment.trim() === ""}
            onClick={() => void act(sendingBack(approval, comment))}
          >
            Send back
          </button>
        )}
        {approval.kind === "effect" && (
          <button
            type="button"
            className="btn"
            disabled={isBusy}
            onClick={() => void act({ type: "answer", approval: approval.id, value: "unknown", resumes: true })}
          >
            Nobody knows
          </button>
        )}
        {approval.kind === "reconcile" && (
          <button
            type="button"
            className="btn"
            disabled={isBusy}
            onClick={() => void act({ type: "reject", approval: approval.id, resumes: true })}
          >
            End the run
          </button>
        )}
      </div>
    </div>
  );
}

function isTextField(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type !== "radio";
}

interface ScopesProps {
  readonly scopes: ReturnType<typeof scopesOf>;
  readonly chosen: ApprovalScope;
  readonly onChoose: (scope: ApprovalScope) => void;
  readonly isRoomy: boolean;
}

function Scopes({ scopes, chosen, onChoose, isRoomy }: ScopesProps) {
  const group = useId();
  if (!isRoomy)
    return (
      <select
        aria-label="How far it reaches"
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value as ApprovalScope)}
      >
        {scopes.map(([scope, label]) => (
          <option key={scope} value={scope}>
            {label}
          </option>
        ))}
      </select>
    );
  return (
    <fieldset className="scopes">
      <legend>How far it reaches</legend>
      {scopes.map(([scope, label]) => (
        <label key={scope} data-chosen={scope === chosen}>
          <input type="radio" name={group} checked={scope === chosen} onChange={() => onChoose(scope)} />
          <span>
            {label}
            {scope === "project" && <small>kept until you take it back</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
