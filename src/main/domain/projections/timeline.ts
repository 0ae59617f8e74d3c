// The lanes of a run: bars, ticks and marks read from its journal, event by event as it grows. At most one item begins
// with an event, so its ordinal names the item and is the cursor of a page.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Page, TimelineItem } from "../../../shared/contract/snapshots.ts";
import type { EventOf, RunEvent } from "../events.ts";
import { describeDecision } from "./decisionWords.ts";
import { optionWords } from "./optionWords.ts";

type Kind = TimelineItem["kind"];
interface Draft {
  readonly n: number;
  readonly agent: AgentId;
  readonly kind: Kind;
  readonly label: string;
  readonly at: number;
  until: number | null;
  isFailure: boolean;
  outcome?: string;
}

/** A page of the lanes of `events`: see `Lanes.page`. */
export function timelinePage(events: Iterable<RunEvent>, after: number, limit: number): Page<TimelineItem> {
  const lanes = new Lanes();
  for (const event of events) lanes.read(event);
  return lanes.page(after, limit);
}

/** Takes in a journal's events in order, each once, and keeps the bars that are still open by what will end them. */
export class Lanes {
  readonly #items: Draft[] = [];
  readonly #open = new Map<string, Draft>();
  /** Change set → the agent that proposed it, in whose lane it lands. */
  readonly #owners = new Map<string, AgentId>();
  /** Landing → its change set. */
  readonly #landings = new Map<string, string>();
  /** Approval that a subagent waits for → its bar, which ends only when it goes on. */
  readonly #askedBy = new Map<string, Draft>();

  /** Items that begin after ordinal `after`, at most `limit`, in the order of their beginnings. A bar that goes on has no end yet. */
  page(after: number, limit: number): Page<TimelineItem> {
    const from = this.#firstAfter(after);
    // Copies: a bar that is open here is given its end later.
    const items = this.#items.slice(from, from + limit).map((item) => ({ ...item }));
    const isLast = from + items.length >= this.#items.length;
    return { items, next: isLast ? null : (items.at(-1)?.n ?? after) };
  }

  #firstAfter(after: number): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.n ?? Infinity) <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  read(event: RunEvent): void {
    this.#readTurn(event);
    this.#readNode(event);
    this.#readReview(event);
    this.#readRun(event);
  }

  #readTurn(event: RunEvent): void {
    switch (event.type) {
      case "model.requested":
        return this.#begin(`turn ${event.data.request}`, event, "turn", event.data.model);
      case "model.completed":
        return this.#end(`turn ${event.data.request}`, event.at);
      case "model.failed":
      case "model.lost":
        return this.#end(`turn ${event.data.request}`, event.at, true);
      case "tool.dispatched":
        return this.#begin(callKey(event), event, "tool", event.data.tool);
      case "tool.settled":
        return this.#end(
          callKey(event),
          event.at,
          event.data.outcome !== "executed" && event.data.outcome !== "reconciled",
          event.data.exitCode == null ? undefined : `exit ${event.data.exitCode}`,
        );
      case "worktree.provisioned":
        return this.#setUp(event);
      case "tool.refused":
        return this.#mark(event, `${event.data.tool} refused: ${event.data.code}`, true);
      default:
        return;
    }
  }

  #setUp(event: EventOf<"worktree.provisioned">): void {
    const { command, exitCode = null, outcome, durationMs } = event.data;
    if (command === undefined) return;
    this.#add(event, "tool", `Set-up: ${command}`, {
      at: event.at - durationMs,
      until: event.at,
      isFailure: exitCode !== 0,
      outcome: exitCode === null ? (outcome ?? "") : `exit ${exitCode}`,
    });
  }

  #readNode(event: RunEvent): void {
    const lane = `lane ${event.agent}`;
    switch (event.type) {
      case "subagent.queued":
        this.#end(lane, event.at);
        // What may start at once waits for nothing.
        if (event.data.code !== "READY") this.#begin(lane, event, "queued", event.data.sentence);
        return;
      case "subagent.waiting":
        return this.#wait(lane, event);
      case "subagent.started":
      case "subagent.resumed":
        return this.#end(lane, event.at);
      case "subagent.stopped":
        this.#end(lane, event.at);
        if (event.data.status !== "completed")
          this.#mark(event, event.data.code ?? event.data.status, event.data.status === "failed");
        return;
      case "subagent.settled":
        return this.#endAllOf(event.data.subagent, event.at);
      default:
        return;
    }
  }

  #wait(lane: string, event: EventOf<"subagent.waiting">): void {
    const { approval, question } = event.data;
    this.#begin(
      lane,
      event,
      "waiting",
      question ?? `Waits for ${event.data.for === "person" ? "a person" : "context"}`,
    );
    const bar = this.#open.get(lane);
    if (approval !== undefined && bar !== undefined) this.#askedBy.set(approval, bar);
  }

  #readReview(event: RunEvent): void {
    switch (event.type) {
      case "changeset.proposed":
        this.#owners.set(event.data.changeset, event.agent);
        return;
      case "changeset.returned":
        return this.#mark(event, `Sent back by ${event.data.by}`, false, this.#owners.get(event.data.changeset));
      case "verification.ran":
        this.#add(event, "verification", event.data.command, {
          at: event.at - event.data.durationMs,
          until: event.at,
          isFailure: event.data.exitCode !== 0,
          outcome: event.data.exitCode === null ? event.data.outcome : `exit ${event.data.exitCode}`,
        });
        return;
      case "approval.requested":
        // A subagent that waits for a person has its bar from `subagent.waiting`.
        if (event.data.kind === "changeset")
          this.#begin(`approval ${event.data.approval}`, event, "review", event.data.summary);
        else if (event.agent === "lead")
          this.#begin(`approval ${event.data.approval}`, event, "waiting", event.data.summary);
        return;
      case "approval.decided":
      case "approval.withdrawn":
        return this.#decide(event);
      case "changeset.landing": {
        const { landing, changeset, target, undoes } = event.data;
        this.#landings.set(landing, changeset);
        return this.#begin(
          `landing ${changeset}`,
          event,
          "landing",
          undoes === undefined ? `Lands on ${target}` : `Taken back from ${target}`,
        );
      }
      case "landing.undone":
      case "landing.failed":
        return this.#end(
          `landing ${this.#landings.get(event.data.landing) ?? ""}`,
          event.at,
          event.type === "landing.failed",
        );
      case "changeset.landed":
        return this.#end(
          `landing ${event.data.changeset}`,
          event.at,
          false,
          `${event.data.commit.slice(0, 7)} on ${event.data.target}`,
        );
      case "merge.conflicted":
        return this.#mark(event, `Opposite verdicts: ${event.data.criterion}`, true);
      case "changeset.held":
        this.#end(`landing ${event.data.changeset}`, event.at, true);
        return this.#mark(event, `Held: ${event.data.sentence}`, true, this.#owners.get(event.data.changeset));
      default:
        return;
    }
  }

  #readRun(event: RunEvent): void {
    switch (event.type) {
      case "input.received":
        return this.#mark(event, `Message from ${event.data.from}`, false, event.data.to);
      case "handoff.refused":
        return this.#mark(event, `Spawn refused: ${event.data.code}`, true);
      case "options.set":
        return this.#mark(event, `Options: ${optionWords(event.data).join(", ")}`, false);
      case "budget.set":
        return this.#mark(event, "Budget set anew", false);
      case "budget.exhausted":
        return this.#mark(event, `Out of ${event.data.balance}`, true);
      case "run.interrupted":
        return this.#mark(event, "Interrupted", true);
      case "run.stopped":
        for (const item of this.#open.values()) item.until = event.at;
        this.#open.clear();
        return this.#mark(
          event,
          `Stopped: ${event.data.reason}`,
          event.data.reason !== "final_answer" && event.data.reason !== "cancelled",
        );
      default:
        return;
    }
  }

  #begin(key: string, event: RunEvent, kind: Kind, label: string): void {
    this.#end(key, event.at);
    const agent = kind === "landing" ? this.#owners.get(key.slice("landing ".length)) : undefined;
    this.#open.set(key, this.#add(event, kind, label, { until: null, ...(agent === undefined ? {} : { agent }) }));
  }

  #end(key: string, at: number, isFailure = false, outcome?: string): void {
    const item = this.#open.get(key);
    if (!item) return;
    item.until = at;
    item.isFailure ||= isFailure;
    if (outcome !== undefined) item.outcome = oneLine(outcome);
    this.#open.delete(key);
  }

  /** What was decided stands with the bar of the question: the approval's own, or that of the subagent that asked. */
  #decide(event: EventOf<"approval.decided" | "approval.withdrawn">): void {
    const { approval } = event.data;
    const asked = this.#open.get(`approval ${approval}`) ?? this.#askedBy.get(approval);
    this.#askedBy.delete(approval);
    if (asked !== undefined) asked.outcome = oneLine(describeDecision(event));
    this.#end(`approval ${approval}`, event.at);
  }

  #endAllOf(agent: AgentId, at: number): void {
    for (const [key, item] of this.#open) if (item.agent === agent) this.#end(key, at);
  }

  #mark(event: RunEvent, label: string, isFailure: boolean, agent: AgentId = event.agent): void {
    this.#add(event, "mark", label, { agent, until: event.at, isFailure });
  }

  #add(event: RunEvent, kind: Kind, label: string, more: Partial<Draft>): Draft {
    const item: Draft = {
      n: event.n,
      agent: event.agent,
      kind,
      label: oneLine(label),
      at: event.at,
      until: null,
      isFailure: false,
      ...more,
    };
    this.#items.push(item);
    return item;
  }
}

function callKey(event: EventOf<"tool.dispatched" | "tool.settled">): string {
  return `call ${event.agent} ${event.data.call}`;
}

function oneLine(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
