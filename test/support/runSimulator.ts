// Carries out what a run owes, one duty after the other, as the tamest engine would: agents hand in at once, people
// approve. For tests that a run comes to its stop from wherever it stands.

import type { AgentId } from "../../src/shared/contract/ids.ts";
import type { Command } from "../../src/main/domain/commands.ts";
import { dutiesOf, type Duty } from "../../src/main/domain/duties.ts";
import type { ApprovalKind } from "../../src/main/domain/records.ts";
import type { AgentState, RunState } from "../../src/main/domain/state.ts";
import { requireAgent, requireChangeSet, requireNode } from "../../src/main/domain/state.ts";
import { nextLeadTurn, nextSubagentTurn } from "../../src/main/domain/turn.ts";
import { callCommand } from "./randomCommands.ts";
import { fileChange, oid, resultOf, type Story, toolCall } from "./runStory.ts";

const maxSteps = 500;

type DecideCommand = Extract<Command, { type: "approval.decide" }>;

/** Drives the run until it has stopped. Throws when nothing moves any more, or not within 500 steps. */
export function driveToStop(story: Story): RunState {
  if (story.state.status === "created") story.start();
  if (story.state.status === "interrupted") story.must({ type: "run.recover", epoch: story.state.epoch + 1 });
  if (story.state.status === "paused") story.must({ type: "run.resume" });
  for (let step = 0; step < maxSteps && story.state.status !== "stopped"; step++) {
    if (!advance(story)) throw new Error(`Nothing moves: ${describeStand(story.state)}`);
  }
  if (story.state.status !== "stopped")
    throw new Error(`Not stopped after ${maxSteps} steps: ${describeStand(story.state)}`);
  return story.state;
}

function advance(story: Story): boolean {
  if (endCutRequests(story)) return true;
  // What other duties bring about is what a waiting lead waits for, so the lead comes last.
  const duties = dutiesOf(story.state).toSorted((left, right) => Number(isLead(left)) - Number(isLead(right)));
  return duties.some((duty) => carryOut(story, duty)) || answerPerson(story);
}

function isLead(duty: Duty): boolean {
  return duty.kind === "drive" && duty.agent === "lead";
}

/** An engine ends what is in flight and no longer owed; in a run that is ending that is the lead's request. */
function endCutRequests(story: Story): boolean {
  if (story.state.ending === null || story.state.lead.request === null) return false;
  return hasMoved(story, () => story.must({ type: "agent.loseRequest", agent: "lead" }));
}

function carryOut(story: Story, duty: Duty): boolean {
  switch (duty.kind) {
    case "drive":
      return hasMoved(story, () => driveAgent(story, duty.agent));
    case "submit":
      return hasMoved(story, () => submit(story, requireNode(story.state, duty.agent).id));
    case "land":
      return hasMoved(story, () => {
        if (requireChangeSet(story.state, duty.changeset).status === "approved")
          story.must({ type: "landing.begin", changeset: duty.changeset, old: oid(2), new: oid(3), tree: oid(4) });
        const begun = story.state.landings.findLast(
          (one) => one.changeset === duty.changeset && one.status === "begun",
        );
        story.must({
          type: "landing.finish",
          changeset: duty.changeset,
          commit: begun?.new ?? oid(3),
          files: ["a.js"],
        });
      });
    case "undo":
      return hasMoved(story, () => story.must({ type: "undo.finish", landing: duty.landing, commit: oid(5) }));
    case "propose":
      return hasMoved(story, () => proposeLine(story));
    case "settle":
      return hasMoved(story, () => story.settle(duty.agent));
    case "stop":
      return hasMoved(story, () => story.must({ type: "run.stop" }));
  }
}

/** Under `final`: everything that landed on the run's branch, for its one review. */
function proposeLine(story: Story): void {
  const { finalTarget, target, line, run } = story.state;
  const files = [fileChange("a.js")];
  story.must({
    type: "line.propose",
    commit: line,
    tree: oid(4),
    ref: `refs/coppice/${run}/lead/1`,
    files,
    target: finalTarget ?? target,
  });
}

function submit(story: Story, agent: Parameters<Story["settle"]>[0]): void {
  story.propose(agent);
  story.close(agent);
}

function driveAgent(story: Story, id: AgentId): void {
  const { state } = story;
  const agent = requireAgent(state, id);
  if (agent.request !== null) return complete(story, agent);
  const turn = id === "lead" ? nextLeadTurn(state) : nextSubagentTurn(state, requireNode(state, id));
  switch (turn.kind) {
    case "request":
      story.must({
        type: "agent.request",
        agent: id,
        model: "m",
        estimate: { steps: 1, toolCalls: 0, inputTokens: 10, outputTokens: 10, costMicros: 5 },
        isCostKnown: true,
        isForced: turn.isForced,
        ...(turn.prompt === null ? {} : { prompt: turn.prompt }),
      });
      return;
    case "calls":
      // One at a time: a call that ends the turn leaves the others where they are. A wait may have nothing to say yet.
      turn.calls.some((call) => hasMoved(story, () => story.must(callCommand(story.state, id, call)(() => 0))));
      return;
    case "fail":
      story.must({ type: "agent.fail", agent: id, code: turn.code, sentence: turn.sentence });
      return;
    case "abandonChildren":
      story.must({ type: "lead.abandonChildren" });
      return;
    case "keepProse":
      story.must({
        type: "agent.submit",
        agent: requireNode(state, id).id,
        call: null,
        result: resultOf("done", turn.text),
        schema: "unstructured",
        marks: [],
      });
      return;
    case "idle":
  }
}

/** A lead says its last word; a subagent hands in. */
function complete(story: Story, { id, request }: AgentState): void {
  const open = request?.id ?? "";
  const toolCalls = id === "lead" ? [] : [toolCall(`${open}.submit`, "submitResult")];
  story.must({
    type: "agent.complete",
    agent: id,
    request: open,
    text: "Done.",
    reasoning: "",
    toolCalls,
    finish: "stop",
    usage: null,
    costMicros: null,
  });
}

function answerPerson(story: Story): boolean {
  const open = story.state.approvals.find((approval) => approval.status === "open");
  if (open)
    return hasMoved(story, () =>
      story.must({ type: "approval.decide", approval: open.id, by: "a person", ...answers[open.kind] }),
    );
  const held = story.state.changeSets.find((set) => set.status === "held");
  return (
    held !== undefined &&
    hasMoved(story, () => story.must({ type: "landing.retry", changeset: held.id, by: "a person" }))
  );
}

/** More budget is refused, so that a run ends. */
const answers: Readonly<Record<ApprovalKind, Pick<DecideCommand, "decision" | "comment">>> = {
  changeset: { decision: "approved" },
  command: { decision: "approved" },
  plan: { decision: "approved" },
  question: { decision: "answered" },
  effect: { decision: "answered", comment: "unknown" },
  reconcile: { decision: "answered", comment: "mine" },
  budget: { decision: "rejected" },
};

function hasMoved(story: Story, act: () => void): boolean {
  const before = story.state.n;
  act();
  return story.state.n > before;
}

function describeStand({ status, ending, lead, nodes, n }: RunState): string {
  const calls = lead.calls
    .filter((call) => call.status !== "answered")
    .map((call) => `${call.tool} ${call.arguments} ${call.status}`);
  return `${status} at ${n}, ending ${JSON.stringify(ending)}, lead calls ${calls.join("; ")}, nodes ${nodes.map((node) => `${node.id} ${node.status} ${node.queue?.code ?? ""}`).join(", ")}`;
}
