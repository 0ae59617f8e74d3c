// One open approval with all that is known of it and the ways to decide. Stands in the inspector, and with more room beside
// the inbox.

import type { ChangeSetId } from "../../../shared/contract/ids.ts";
import { CommandLine } from "../../ui/CommandLine.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { formatAge, formatTime } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { AnswerForm } from "../AnswerForm.tsx";
import { useAct } from "../useAct.ts";
import { useApproval } from "../useApproval.ts";
import { VerdictSides } from "../VerdictSides.tsx";
import { AskFacts } from "./AskFacts.tsx";
import { YesOrNo } from "./YesOrNo.tsx";
import { isYesOrNo, wordsOf } from "./ask.ts";
import type { Ask } from "./ask.ts";

export interface AskCardProps {
  readonly ask: Ask;
  /** Beside the inbox: how it came to be asked, and each choice with its words. */
  readonly isRoomy: boolean;
  readonly onReview: (changeset: ChangeSetId) => void;
}

/** Mounted anew for each approval. */
export function AskCard({ ask, isRoomy, onReview }: AskCardProps) {
  const { approval } = ask;
  const { kind, since, changeset } = approval;
  const words = wordsOf(approval);
  const whole = useApproval(approval);
  const now = useNow(1_000);
  const work = useAct();
  const conflict = whole.page?.conflict ?? null;
  const line = kind === "command" || kind === "effect" ? (whole.page?.command ?? null) : null;
  return (
    <section className="ask" aria-label={`${words.kind}: ${approval.summary}`} data-roomy={isRoomy}>
      <h3>
        <Mark shape={words.shape} word={words.question} />
        <span className="ask-since fig">
          since {formatTime(since)}, {formatAge(since, now)}
        </span>
      </h3>
      {conflict !== null && <VerdictSides conflict={conflict} onSelect={null} />}
      {line === null && conflict === null && kind !== "command" && (
        <p className="ask-summary">
          <Ticked text={whole.summary} />
        </p>
      )}
      {(line !== null || kind === "command") && <CommandLine command={line ?? whole.summary} />}
      <AskFacts ask={ask} whole={whole} isRoomy={isRoomy} />
      {kind === "question" && <AnswerForm approval={approval.id} choices={whole.choices} work={work} />}
      {kind === "changeset" && changeset !== undefined && (
        <div className="ask-acts">
          <button type="button" className="btn main" onClick={() => onReview(changeset)}>
            Review…
          </button>
        </div>
      )}
      {isYesOrNo(approval) && <YesOrNo approval={approval} page={whole.page} work={work} isRoomy={isRoomy} />}
      {work.failure !== null && (
        <Notice title="It could not be decided" message={work.failure.message} code={work.failure.code} />
      )}
    </section>
  );
}
