// Which subagents are at work in runs that other processes hold, and which model each talks to. Reads only.

import type { BootId } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { serverOf } from "../domain/modelServers.ts";
import type { AtWork } from "../engine/ports/store.ts";
import { leaseTtlMs } from "./leases.ts";
import type { Connection } from "./openDatabase.ts";

/** An option as the run was last given it, else as it was started with it. */
const option = (name: "baseUrl" | "model" | "modelServers") => `coalesce(
  (SELECT json_extract(given.bytes, '$.options.${name}') FROM events JOIN payloads AS given ON given.hash = events.payload_hash
   WHERE events.run = child.root AND events.type = 'options.set' AND json_extract(given.bytes, '$.options.${name}') IS NOT NULL
   ORDER BY events.seq DESC LIMIT 1),
  json_extract(created.bytes, '$.options.${name}'))`;

/** A subagent that has asked nothing yet is counted at its run's own model. */
const atWork = `
  SELECT child.root AS run, ${option("baseUrl")} AS baseUrl,
         coalesce(
           (SELECT json_extract(asked.bytes, '$.model') FROM events JOIN payloads AS asked ON asked.hash = events.payload_hash
            WHERE events.run = child.run AND events.type = 'model.requested' ORDER BY events.seq DESC LIMIT 1),
           ${option("model")}) AS model,
         ${option("model")} AS own, ${option("modelServers")} AS servers
  FROM leases
  JOIN runs AS child ON child.root = leases.run AND child.kind = 'child' AND child.status IN ('running', 'submitting')
  JOIN events AS first ON first.root = child.root AND first.n = 1
  JOIN payloads AS created ON created.hash = first.payload_hash
  WHERE leases.owner IS NOT NULL AND leases.owner <> ? AND leases.renewed_at > ?`;

/** A holder that has been silent for as long as a lease lasts counts as gone. */
export function createAtWork(reader: Connection, boot: BootId): () => readonly AtWork[] {
  const select = reader.prepare<[BootId, number], Row>(atWork);
  return () => select.all(boot, Date.now() - leaseTtlMs).map(placeOf);
}

/** `own`: the run's model; `servers`: its `modelServers`, as JSON. What was erased, or is kept as a file, says nothing of its server. */
interface Row extends Pick<AtWork, "run"> {
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly own: string | null;
  readonly servers: string | null;
}

function placeOf({ run, baseUrl, model, own, servers }: Row): AtWork {
  const modelServers = JSON.parse(servers ?? "{}") as NonNullable<RunOptions["modelServers"]>;
  const at = serverOf({ model: own ?? "", baseUrl: baseUrl ?? "", modelServers }, model ?? "");
  return { run, baseUrl: at, model: model ?? "" };
}
