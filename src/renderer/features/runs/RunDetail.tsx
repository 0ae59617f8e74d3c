// One run: how it stands, what it answered, who worked on it, what landed, and what waits for the person.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { useTopic } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { Approvals } from "./Approvals.tsx";
import { Facts } from "./Facts.tsx";
import { Landings } from "./Landings.tsx";
import { RunHeader } from "./RunHeader.tsx";
import { SubagentTree } from "./SubagentTree.tsx";

export function RunDetail({ run }: { readonly run: RunId }) {
  const { snapshot, failure } = useTopic(`run/${run}`);
  const notice = failure && <Notice title="This run could not be read" message={failure.message} code={failure.code} />;
  if (snapshot === null) return notice ?? <Skeleton lines={6} label="The run is being read" />;
  return (
    <article className="detail" aria-labelledby="run-title">
      <RunHeader snapshot={snapshot} />
      <div className="detail-body">
        <div className="detail-main">
          {notice}
          <Outcome snapshot={snapshot} />
          <SubagentTree snapshot={snapshot} />
        </div>
        <aside className="detail-side" aria-label="Beside the run">
          <Approvals snapshot={snapshot} />
          <Landings landed={snapshot.landed} />
          <Facts snapshot={snapshot} />
        </aside>
      </div>
    </article>
  );
}

/** What of the task its title does not say, and the answer, once there is one. */
function Outcome({ snapshot: { task, title, answer, partial } }: { readonly snapshot: RunSnapshot }) {
  const untold = (task.startsWith(title) ? task.slice(title.length) : task).trim();
  return (
    <>
      {untold !== "" && (
        <section className="passage" aria-labelledby="task-title">
          <h2 id="task-title">Task</h2>
          <p className="prose quiet">
            <Ticked text={untold} />
          </p>
        </section>
      )}
      {answer !== null && answer !== "" && (
        <section className="passage" aria-labelledby="answer-title">
          <h2 id="answer-title">
            Answer {partial && <span className="faint">in part: the run ended before the work did</span>}
          </h2>
          <p className="prose">
            <Ticked text={answer} />
          </p>
        </section>
      )}
    </>
  );
}
