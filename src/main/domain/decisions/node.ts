// Decisions about a node's work place and its settlement.

import type { Command } from "../commands.ts";
import type { Oid } from "../../../shared/contract/ids.ts";
import { plus } from "../budget.ts";
import { isTerminal } from "../lifecycle.ts";
import { findChangeSet, requireNode } from "../state.ts";
import { accept, type Decider, reject } from "./decision.ts";
import { settleLeft } from "./effect.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Work places are let go before a run stops. */
const afterStop = reject("RUN_STOPPED", "The run has stopped; it has no work places any more.");

/** Charges what the child used and releases its slice, once. Settling again adds nothing. */
export const settle: Decider<CommandOf<"node.settle">> = (state, { agent, childHead, diagnostic }) => {
  const node = requireNode(state, agent);
  if (node.isSettled) return accept();
  if (!isTerminal(node.status) || node.end === null)
    return reject("NOT_ALLOWED_NOW", `${agent} is ${node.status}, not at its end.`);
  // A request whose answer never came stays charged at what it was estimated.
  const used = node.request === null ? node.used : plus(node.used, node.request.estimate);
  return accept(...settleLeft(node), {
    agent: "lead",
    type: "subagent.settled",
    data: {
      subagent: agent,
      status: node.end,
      ...(node.code === null ? {} : { code: node.code }),
      used,
      verification: node.verification,
      ...(diagnostic === undefined ? {} : { diagnostic }),
      childHead,
    },
  });
};

export const createPlace: Decider<CommandOf<"place.create">> = (
  state,
  { agent, path, root, durationMs, copied = [], pointers = 0 },
) => {
  if (state.status === "stopped") return afterStop;
  if (agent !== "lead" && requireNode(state, agent).place === "created") return accept();
  return accept(
    { agent, type: "worktree.created", data: { path, root } },
    {
      agent,
      type: "worktree.provisioned",
      data: {
        path,
        durationMs,
        ...(copied.length === 0 ? {} : { copied }),
        ...(pointers === 0 ? {} : { pointers }),
      },
    },
  );
};

export const provisionPlace: Decider<CommandOf<"place.provision">> = (state, { agent, run }) => {
  if (state.status === "stopped") return afterStop;
  const stands = agent === "lead" ? state.lead.work !== null : requireNode(state, agent).place === "created";
  if (!stands) return reject("NOT_ALLOWED_NOW", `${agent} has no worktree to be set up.`);
  return accept({ agent, type: "worktree.provisioned", data: run });
};

export const pinPlace: Decider<CommandOf<"place.pin">> = (state, { agent, path, ref, commit, reason }) =>
  state.status === "stopped"
    ? afterStop
    : accept({ agent, type: "worktree.pinned", data: { path, ref, commit, reason } });

export const removePlace: Decider<CommandOf<"place.remove">> = (state, { agent, path }) => {
  if (state.status === "stopped") return afterStop;
  if (agent !== "lead" && requireNode(state, agent).place !== "created") return accept();
  return accept({ agent, type: "worktree.removed", data: { path } });
};

/** Once for each time that a change set is sent back with its target. */
export const rebasePlace: Decider<CommandOf<"place.rebase">> = (state, { agent, path, changeset, root, conflicts }) => {
  if (state.status === "stopped") return afterStop;
  const set = findChangeSet(state, changeset);
  if (set?.bringsTarget !== true) return accept();
  const text = rebasedWords(set.target.branch, root, conflicts);
  return accept({ agent, type: "worktree.rebased", data: { path, changeset, root, conflicts, text } });
};

/** What the agent is told before it goes on. */
function rebasedWords(target: string, root: Oid, conflicts: readonly string[]): string {
  const stand = `The system brought ${target} into your worktree: it stands at ${root.slice(0, 10)} now, with your change on it, and your next change set is a change to that.`;
  return conflicts.length === 0
    ? `${stand} The two fit together; read again what you rely on before you edit.`
    : `${stand} Both changed the same places of ${conflicts.join(", ")}. Where a file has lines between <<<<<<< and >>>>>>>, the first part is that of ${target} and the last is yours: leave what is right of both, and no such mark. Files that are not text, or are gone on one side, stand as the system could leave them.`;
}
