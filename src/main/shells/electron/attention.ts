// What has come to need the person while nobody was looking, in words for the desktop. Pure: it compares what was with what
// is, and says where a click should lead. Texts of agents are shortened and made harmless.

import type { RunId } from "../../../shared/contract/ids.ts";
import type {
  ApprovalSnapshot,
  RunListItem,
  RunListSnapshot,
  RunSnapshot,
} from "../../../shared/contract/snapshots.ts";
import type { Settings } from "../../../shared/contract/settings.ts";

type NotificationSettings = Settings["notifications"];

/** A thing to tell once. `key` is the same for the same thing; `search` is the page's address of the place. */
export interface Notice {
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly search: string;
}

/** A run that asks more than before, and by how much. */
export interface Asking {
  readonly run: RunId;
  readonly newCount: number;
}

/** Runs in which more is asked of the person than before, and runs that have stopped since. */
export interface News {
  readonly asking: readonly Asking[];
  readonly stopped: readonly RunListItem[];
}

const maxTitleChars = 80;
const maxBodyChars = 180;

/** More than so many at once are told as one. */
const maxSingly = 3;

/** What is new in the list. A run that was not in it before is told from its first question on. */
export function newsOf(before: RunListSnapshot, after: RunListSnapshot): News {
  const known = new Map(before.runs.map((run) => [run.run, run]));
  return {
    asking: after.runs
      .map(({ run, needsYouCount }) => ({ run, newCount: needsYouCount - (known.get(run)?.needsYouCount ?? 0) }))
      .filter(({ newCount }) => newCount > 0),
    stopped: after.runs.filter(({ run, status }) => {
      const was = known.get(run)?.status;
      return status === "stopped" && was !== undefined && was !== "stopped";
    }),
  };
}

/** How many things wait for the person, as the badge shows it. */
export function waitingCount(list: RunListSnapshot): number {
  return list.runs.reduce((sum, { needsYouCount }) => sum + needsYouCount, 0);
}

const kinds: Readonly<Partial<Record<ApprovalSnapshot["kind"], string>>> = {
  changeset: "Ready to review",
  command: "May it run this command?",
  question: "It asks you",
  plan: "A plan waits for you",
  budget: "More budget?",
  effect: "Did this take effect?",
  reconcile: "Which verdict holds?",
};

export function approvalNotice(run: Pick<RunSnapshot, "run" | "title">, approval: ApprovalSnapshot): Notice {
  const { id, kind, agent, summary, changeset } = approval;
  const isReview = kind === "changeset" && changeset !== undefined;
  return {
    key: id,
    title: plain(run.title, maxTitleChars),
    body: plain(`${kinds[kind] ?? "It needs you"} (${agent}): ${summary}`, maxBodyChars),
    search: isReview ? `?run=${run.run}&review=${changeset}` : `?view=inbox&run=${run.run}&approval=${id}`,
  };
}

export function stoppedNotice({ run, title, stopReason }: RunListItem): Notice {
  const isWhole = stopReason === "final_answer";
  return {
    key: `${run}-stopped`,
    title: plain(title, maxTitleChars),
    body: isWhole ? "Finished." : `Stopped before it was done (${plain(stopReason ?? "unknown", 40)}).`,
    search: `?run=${run}`,
  };
}

/** Several at once are one notice that leads to the inbox. */
export function gather(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= maxSingly) return notices;
  const body = `${notices.length} things need you.`;
  return [{ key: notices.map(({ key }) => key).join(" "), title: "Coppice", body, search: "?view=inbox" }];
}

/** Whether the person wants to be left alone now. `minutes` since midnight, of their own clock. */
export function isQuiet({ quietHours }: NotificationSettings, minutes: number): boolean {
  if (quietHours === null) return false;
  const [from, to] = [minutesOf(quietHours.from), minutesOf(quietHours.to)];
  return from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** One line without control characters or ones that turn the direction of text. */
function plain(text: string, max: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line;
}
