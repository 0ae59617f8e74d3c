// Decisions about a node's work place and its settlement.

import type { Command } from "../commands.ts";
import { plus } from "../budget.ts";
import { isTerminal } from "../lifecycle.ts";
import { requireNode } from "../state.ts";
import { accept, type Decider, reject } from "./decision.ts";

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
  return accept({
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
