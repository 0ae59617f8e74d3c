// What the work on one run has at hand: its mailbox, the ports, and the folders that are its own. Handed to every duty.

import { join } from "node:path";
import type { AgentId } from "../../shared/contract/ids.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { AgentPort } from "./ports/agent.ts";
import type { Clock } from "./ports/clock.ts";
import type { CommandPort, CommandSpec } from "./ports/command.ts";
import type { GitPort, WorkPlace } from "./ports/git.ts";
import type { InFlightTable } from "./inFlight.ts";

/** Folders of one run, absolute, below the data folder; none of them lies in the user's repository. */
export interface RunFolders {
  readonly home: string;
  readonly places: string;
  readonly run: string;
}

export interface WorkRoom {
  readonly dispatcher: Dispatcher;
  readonly git: GitPort;
  readonly commands: CommandPort;
  readonly agents: AgentPort;
  readonly clock: Clock;
  readonly folders: RunFolders;
  readonly inFlight: InFlightTable;
  /** Whether this process surely holds the run right now; asked in the very moment before an act. */
  isHeld(): boolean;
  /** Takes secrets out of an output before it is stored or shown to a model. */
  redact(text: string): string;
  /** Streamed text of an agent, as it comes. */
  live(agent: AgentId, text: string): void;
}

/** The folder of the places of all runs; their names carry the run. */
export function placesFolder(home: string): string {
  return join(home, "places");
}

/** Folders of a run below the data folder. */
export function runFolders(home: string, run: string): RunFolders {
  return { home, places: placesFolder(home), run: join(home, "runs", run) };
}

export function privateHomeOf(folders: RunFolders): string {
  return join(folders.run, "home");
}

export function objectFolderOf(folders: RunFolders, agent: AgentId): string {
  return join(folders.run, "objects", agent);
}

/** Where readers of one tree work; shared by all readers of that tree. */
export function checkoutFolderOf(folders: RunFolders, commit: string): string {
  return join(folders.run, "checkouts", commit.slice(0, 16));
}

/** What no command may see: the user's checkout and the data folder. A work place inside it is bound back. */
export function hiddenFrom(room: WorkRoom): readonly string[] {
  return [room.dispatcher.state().repo.topLevel, room.folders.home];
}

/** A command in a work place, on behalf of `agent`. */
export function commandIn(
  room: WorkRoom,
  agent: AgentId,
  place: WorkPlace,
  command: string,
  timeoutMs: number,
): CommandSpec {
  const { repo, options, run } = room.dispatcher.state();
  return {
    command,
    root: place.path,
    cwd: place.path,
    privateHome: privateHomeOf(room.folders),
    ...(place.gitDir === null
      ? {}
      : {
          git: { commonDir: repo.commonDir, gitDir: place.gitDir, objectFolder: objectFolderOf(room.folders, agent) },
        }),
    hidden: hiddenFrom(room),
    network: options.network,
    timeoutMs,
    tag: run,
  };
}
