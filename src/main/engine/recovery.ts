// What happens before a run that was not driven goes on: leftovers ended, lost requests marked, cut calls judged by
// their effect class, and a person asked where no rule can tell. Every step is keyed by the journal, so that a crash in here repeats nothing.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { EffectClass, ToolOutcome } from "../domain/records.ts";
import { type CallState, findNode, type RunState } from "../domain/state.ts";
import { dropNotes, notedOutput } from "./outputNote.ts";
import { hiddenRefs } from "./ports/git.ts";
import { takeSeat } from "./seat.ts";
import type { WorkRoom } from "./room.ts";

/** Readies a run whose lease this process has just taken, for the effect worker to go on with; or leaves it paused, which is as far as it goes by itself. */
export async function recoverRun(room: WorkRoom, pauses = false): Promise<void> {
  const { dispatcher } = room;
  // Look only after quiescence: processes that an earlier holder left must not change what is looked at.
  await room.commands.sweep(dispatcher.run);
  if (dispatcher.state().status === "created") await keepBase(room);
  await dispatcher.dispatch({ type: "run.recover", epoch: dispatcher.epoch(), pauses });
  for (const { agent, call } of cutCalls(dispatcher.state())) await settleCut(room, agent, call);
  await dropNotes(room);
}

/** Keeps the commit that the run begins at from git's own clearing: after its record, so that a death in between leaves no ref of a run that is not there, and before it starts. */
export async function keepBase({ dispatcher, git }: WorkRoom): Promise<void> {
  const { repo, run, base } = dispatcher.state();
  await git.pin(repo, hiddenRefs.base(run), base.commit);
}

function cutCalls(state: RunState): readonly { readonly agent: AgentId; readonly call: CallState }[] {
  return [state.lead, ...state.nodes].flatMap((agent) =>
    agent.calls.filter((call) => call.status === "dispatched").map((call) => ({ agent: agent.id, call })),
  );
}

/** What recovery found out about a cut call: how it ended, or that only a person can say. */
type Finding =
  | { readonly outcome: ToolOutcome; readonly output: string }
  | { readonly outcome: "ask"; readonly because: string };

async function settleCut(room: WorkRoom, agent: AgentId, call: CallState): Promise<void> {
  const finding = await judge(room, agent, call);
  if (finding.outcome === "ask") {
    const files = await changedFiles(room, agent);
    const output = await notedOutput(room, agent, call.id);
    await room.dispatcher.dispatch({
      type: "effect.ask",
      agent,
      call: call.id,
      because: finding.because,
      files,
      ...(output === null ? {} : { output }),
    });
    return;
  }
  const { outcome, output } = finding;
  await room.dispatcher.dispatch({
    type: "agent.settle",
    agent,
    call: call.id,
    outcome,
    durationMs: 0,
    output,
    resultHash: `cut:${call.id}`,
    changedState: outcome !== "not_applied",
  });
}

/** The rule for each class of effect when the process died between its dispatch and its settlement. */
async function judge(room: WorkRoom, agent: AgentId, call: CallState): Promise<Finding> {
  const effectClass: EffectClass = call.class ?? "opaque";
  switch (effectClass) {
    case "pure":
      return {
        outcome: "not_applied",
        output: "Not carried out: Coppice was interrupted. Ask again if you still need it.",
      };
    case "verifiable": {
      const verdict = await room.agents.verify(takeSeat(room, agent, new AbortController().signal), call);
      if (verdict === "applied")
        return {
          outcome: "reconciled",
          output: "Carried out: Coppice was interrupted right after it, looked, and found it done.",
        };
      if (verdict === "not_applied")
        return {
          outcome: "not_applied",
          output: "Not carried out: Coppice was interrupted before it. Nothing was changed.",
        };
      return {
        outcome: "ask",
        because: "The files are neither as they were before nor as they were to become. Nothing of them was touched.",
      };
    }
    case "rerunnable":
      return {
        outcome: "cancelled",
        output:
          "Cut off: Coppice was interrupted while this ran. Files may have changed; it counts as no evidence. Run it again if you need it.",
      };
    case "opaque":
      return {
        outcome: "ask",
        because: "It was not confined, or had the network, so what it has done outside its folder cannot be looked up.",
      };
  }
}

/** Most paths that a question about an effect shows. */
const maxShownFiles = 50;

/** What differs in the agent's worktree from its root, as far as there is one to look at. */
async function changedFiles(room: WorkRoom, agent: AgentId): Promise<readonly string[]> {
  const state = room.dispatcher.state();
  const { repo, run } = state;
  const node = findNode(state, agent);
  const [path, root] = agent === "lead" ? [state.lead.work?.path, state.lead.work?.root] : [node?.worktree, node?.root];
  if (path == null || root == null) return [];
  const place = await room.git.findWorktree(repo, path, root);
  if (!place) return [];
  // Under the pin that this agent's work gets when it ends: until then the newest look at it stands there.
  const taken = await room.git.snapshot(repo, place, root, hiddenRefs.pin(run, agent), "Work as a crash left it");
  if (!taken.ok || taken.value.isEmpty) return [];
  const files = await room.git.changesBetween(repo, root, taken.value.commit);
  return files.slice(0, maxShownFiles).map((file) => file.path);
}
