// Whether one can write to an agent right now, and when it would read it. Pure; the rules are the core's, said beforehand.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { hasEnded } from "../subagents.ts";

export type Addressee =
  | {
      readonly kind: "open";
      /** What the field is for. */
      readonly label: string;
      readonly placeholder: string;
      /** When it is read. */
      readonly hint: string;
      readonly verb: string;
    }
  /** `instead`: to whom one can write, or what one can open. */
  | { readonly kind: "closed"; readonly sentence: string; readonly instead: "lead" | "review" | null };

export function addresseeOf(run: RunSnapshot, agent: AgentId): Addressee {
  if (run.status === "imported") return closed("This run came from elsewhere: it can be looked at, not continued.");
  if (run.status === "quarantined") return closed("This run is set aside, because its journal is damaged.");
  return agent === "lead" ? leadOf(run) : subagentOf(run, agent);
}

function leadOf(run: RunSnapshot): Addressee {
  if (run.status === "stopped")
    return {
      kind: "open",
      label: "Follow up",
      placeholder: "Follow up: the run goes on with it",
      hint: "The run goes on, on what is left of its budget.",
      verb: "Continue",
    };
  return open(
    "the lead",
    whenRead(
      run,
      run.approvals.some(({ agent, kind }) => agent === "lead" && kind === "question"),
    ),
  );
}

function subagentOf(run: RunSnapshot, agent: AgentId): Addressee {
  const subagent = run.subagents.find(({ id }) => id === agent);
  if (subagent === undefined) return closed("It does not exist yet.");
  if (run.status === "stopped" || hasEnded(subagent))
    return { kind: "closed", sentence: `${subagent.id} has ended.`, instead: "lead" };
  if (subagent.status === "awaiting_review")
    return {
      kind: "closed",
      sentence: `${subagent.id} waits for your review; send it back to have it changed.`,
      instead: "review",
    };
  if (subagent.status === "landing") return closed(`What ${subagent.id} wrote is landing.`);
  if (subagent.waitingFor?.code === "CONTEXT")
    return {
      kind: "open",
      label: `Answer ${subagent.id}`,
      placeholder: subagent.waitingFor.sentence,
      hint: `It goes on with your answer${isDriven(run) ? "." : ", once the run does."}`,
      verb: "Answer",
    };
  return open(subagent.id, whenRead(run, subagent.waitingFor?.code === "PERSON"));
}

function isDriven({ status }: RunSnapshot): boolean {
  return status === "running" || status === "waiting" || status === "created";
}

function whenRead(run: RunSnapshot, isAsking: boolean): string {
  if (!isDriven(run)) return "Noted at once, and read when the run goes on.";
  return isAsking ? "Read after what it asks you is decided." : "Read at its next turn.";
}

function open(name: string, hint: string): Addressee {
  return { kind: "open", label: `Message to ${name}`, placeholder: `Write to ${name}`, hint, verb: "Send" };
}

function closed(sentence: string): Addressee {
  return { kind: "closed", sentence, instead: null };
}
