// An approval in full: a snapshot has the beginning of its texts, the page has all of them. Lies beside the features because
// the transcript, the inspector and the inbox all show approvals.

import type { ApprovalSnapshot } from "../../shared/contract/snapshots.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import type { ApprovalPage } from "../../shared/contract/runPages.ts";
import { usePage } from "../client/Client.tsx";

export interface WholeApproval {
  readonly summary: string;
  readonly why: string | null;
  readonly choices: readonly string[];
  /** The page itself, once it has come. */
  readonly page: ApprovalPage | null;
}

/** What the snapshot says, until the page has come. */
export function useApproval(approval: ApprovalSnapshot): WholeApproval {
  const { id, summary, why = null, choices = [] } = approval;
  const { body } = usePage({ kind: "approval", run: id.slice(0, id.lastIndexOf("-a")) as RunId, approval: id });
  return body === null
    ? { summary, why, choices, page: null }
    : { summary: body.summary, why: body.why, choices: body.choices, page: body };
}
