// What is likely to go wrong with a packet, said before it is sent. Warnings only: the lead decides.

import type { Packet } from "./records.ts";

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
