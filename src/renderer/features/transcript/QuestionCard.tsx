// A question that waits for the person, answered where it was asked.

import type { ApprovalSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { formatAge, formatTime } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { AnswerForm } from "../AnswerForm.tsx";
import { useAct } from "../useAct.ts";
import { useApproval } from "../useApproval.ts";
import { Markdown } from "../../ui/Markdown.tsx";

export function QuestionCard({ approval }: { readonly approval: ApprovalSnapshot }) {
  const { since } = approval;
  const work = useAct();
  const now = useNow(1_000);
  const { summary, choices } = useApproval(approval);
  return (
    <section className="question" aria-label="Question to you">
      <h3>
        <Mark shape="needs-you" word="It asks you" />
        <span className="fig">
          since {formatTime(since)}, {formatAge(since, now)}
        </span>
      </h3>
      <Markdown text={summary} />
      <AnswerForm approval={approval.id} choices={choices} work={work} />
      {work.failure !== null && (
        <Notice title="It could not be answered" message={work.failure.message} code={work.failure.code} />
      )}
    </section>
  );
}
