// Set-up: the commands that make a fresh worktree ready, run by the system in the sandbox before anybody works there. Each
// is in the journal before the next; one that was cut is run again. Never runs what the run was not started with.

import type { AgentId } from "../../shared/contract/ids.ts";
import { hasFailed } from "../domain/state.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import { excerptOf } from "./excerpt.ts";
import type { CommandOutcome } from "./ports/command.ts";
import type { WorkPlace } from "./ports/git.ts";
import { commandIn, type WorkRoom } from "./room.ts";

/** The limit of one set-up command. */
const setupMs = 10 * 60_000;

/** What became of a set-up command. `output` is redacted and bounded. */
export interface SetupRun extends Pick<CommandOutcome, "outcome" | "exitCode" | "durationMs"> {
  readonly command: string;
  readonly output: string;
}

/** Runs what is missing of the set-up of an agent's worktree, and records each command. Codes `SETUP_FAILED`, and `CANCELLED` where the signal aborted. */
export async function setUpWorktree(
  room: WorkRoom,
  agent: AgentId,
  place: WorkPlace,
  signal: AbortSignal,
): Promise<Result<null>> {
  for (let command = nextCommand(room, agent); command !== undefined; command = nextCommand(room, agent)) {
    const run = await runSetup(room, { agent, place, command }, signal);
    if (run === null) return fail({ code: "CANCELLED", message: "The set-up of the worktree was broken off." });
    const recorded = await room.dispatcher.dispatch({
      type: "place.provision",
      agent,
      run: { path: place.path, ...run },
    });
    if (!recorded.ok) return fail(recorded.error);
    if (hasFailed(run)) return fail(failureOf(room, run));
  }
  return succeed(null);
}

export interface SetupOrder {
  readonly agent: AgentId;
  readonly place: WorkPlace;
  readonly command: string;
  /** Absent: what set-up has in this run. */
  readonly network?: "on" | "off";
}

/** Runs one set-up command; `null` where the signal aborted: then nothing is known of it. */
export async function runSetup(
  room: WorkRoom,
  { agent, place, command, network = networkOf(room) }: SetupOrder,
  signal: AbortSignal,
): Promise<SetupRun | null> {
  const ended = room.inFlight.begin(agent, "provisioning", command);
  try {
    const spec = { ...commandIn(room, agent, place, command, setupMs), network };
    const ran = await room.commands.run(spec, { signal, onOutput: () => room.inFlight.touch(agent) });
    if (signal.aborted) return null;
    const { outcome, exitCode, durationMs } = ran;
    return { command, outcome, exitCode, durationMs, output: excerptOf(room, ran) };
  } finally {
    ended();
  }
}

/** The network of set-up, which a person may have given it alone. */
function networkOf({ dispatcher }: WorkRoom): "on" | "off" {
  const { network, setupNetwork = network } = dispatcher.state().options;
  return setupNetwork;
}

/** Whether set-up has a network that what agents run does not. */
export function hasNetworkAlone(room: WorkRoom): boolean {
  return networkOf(room) === "on" && room.dispatcher.state().options.network !== "on";
}

function nextCommand({ dispatcher }: WorkRoom, agent: AgentId): string | undefined {
  const { options, lead, nodes } = dispatcher.state();
  const done = agent === "lead" ? lead.work?.setupCount : nodes.find(({ id }) => id === agent)?.setupCount;
  return options.setup?.[done ?? 0];
}

const longestLine = 300;

function failureOf(room: WorkRoom, { command, outcome, exitCode, output }: SetupRun): Failure {
  const how =
    outcome === "timeout"
      ? `was ended after ${setupMs / 60_000} minutes`
      : outcome === "spawn_failed"
        ? "could not be started"
        : exitCode === null
          ? "was ended"
          : `ended with exit code ${exitCode}`;
  const last = output.trimEnd().split("\n").at(-1)?.trim().slice(0, longestLine) ?? "";
  const offline =
    networkOf(room) === "off" ? " It had no network: under --setup-network on set-up has it, and agents do not." : "";
  return {
    code: "SETUP_FAILED",
    message: `The worktree could not be set up: \`${command}\` ${how}${last === "" ? "" : `, and last said: ${last}`}.${offline}`,
  };
}
