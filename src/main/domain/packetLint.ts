// What is likely to go wrong with a packet, said before it is sent. Warnings only: the lead decides.

import type { Packet } from "./records.ts";
import type { RunState } from "./state.ts";

/** Words that lean on a conversation which the subagent cannot see. */
const leaning =
  /\b(as (we )?(discussed|mentioned|agreed)|as (described )?above|the above|see above|earlier (message|result|finding)s?|the previous (message|result|answer)|like before)\b/i;

/** One sentence a warning, in a fixed order. */
export function lintPacket(packet: Packet, writes: boolean): readonly string[] {
  const warnings: string[] = [];
  const lean = leaning.exec(packet.objective)?.[0];
  if (lean !== undefined && packet.context === undefined) {
    warnings.push(
      `The task says "${lean}", but a subagent sees its packet and nothing else; put what it needs into context.`,
    );
  }
  if (writes && packet.paths === null) {
    warnings.push(
      "No paths are claimed, so nothing keeps another executor from editing the same files; name files or folders in paths.",
    );
  }
  return warnings;
}

/** Says that the same task is with another subagent of the run already, or was answered by it; `null`: it is not, or this one is meant to replace that one. */
export function twinWarning({ nodes }: RunState, packet: Packet): string | null {
  const same = (task: string) => task.trim().replace(/\s+/g, " ").toLowerCase();
  const twin = nodes.findLast(
    ({ id, role, task, status }) =>
      role === packet.role &&
      same(task) === same(packet.objective) &&
      status !== "failed" &&
      status !== "cancelled" &&
      id !== packet.replaces,
  );
  if (twin === undefined) return null;
  return `${twin.id} has the same task and is ${twin.status.replaceAll("_", " ")}; wait for its result instead of asking twice, or name it in replaces.`;
}
