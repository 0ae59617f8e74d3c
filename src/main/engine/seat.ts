// A seat: what one agent is given of its run while it is driven here.

import { mkdir } from "node:fs/promises";
import type { AgentId } from "../../shared/contract/ids.ts";
import { fail } from "../../shared/lib/result.ts";
import { lossOf } from "./fence.ts";
import { noteOutput } from "./outputNote.ts";
import { ensurePlace } from "./places.ts";
import type { Seat } from "./ports/agent.ts";
import { hiddenFrom, objectFolderOf, privateHomeOf, type WorkRoom } from "./room.ts";

/** Seats `agent` until `signal` aborts. */
export function takeSeat(room: WorkRoom, agent: AgentId, signal: AbortSignal): Seat {
  const { dispatcher, folders } = room;
  let making: ReturnType<Seat["place"]> | null = null;
  const make = async () => {
    const loss = lossOf(room.isHeld);
    if (loss) return fail(loss);
    // A large repository takes its time, which is no standstill.
    const ended = room.inFlight.begin(agent, "provisioning", "work place");
    try {
      await mkdir(privateHomeOf(folders), { recursive: true });
      return await ensurePlace(room, agent, signal);
    } finally {
      ended();
    }
  };
  return {
    agent,
    signal,
    state: () => dispatcher.state(),
    journal: () => dispatcher.journal(),
    dispatch: (command) => dispatcher.dispatch(command),
    untilPast: (n, withinMs) => untilPast(room, n, withinMs, signal),
    // Calls that are made side by side find one place, which is set up once.
    place: () => (making ??= make().finally(() => (making = null))),
    privateHome: privateHomeOf(folders),
    objectFolder: objectFolderOf(folders, agent),
    hidden: hiddenFrom(room),
    live: (text) => room.live(agent, text),
    inFlight: (kind, name) => room.inFlight.begin(agent, kind, name),
    isHeld: () => room.isHeld(),
    noteOutput: (call) => noteOutput(room, agent, call),
    touch: () => room.inFlight.touch(agent),
  };
}

function untilPast(room: WorkRoom, n: number, withinMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (signal.aborted || room.dispatcher.state().n > n) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe();
      callOff();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const unsubscribe = room.dispatcher.onCommit(end);
    const callOff = withinMs === undefined ? () => undefined : room.clock.after(withinMs, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
