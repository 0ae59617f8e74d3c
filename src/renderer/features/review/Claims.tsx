// What the author of a change set claims, beside what the system saw of it.

import { Check, Minus, X } from "lucide-react";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { usePage } from "../../client/Client.tsx";
import { claimsOf } from "./claims.ts";
import type { Claim } from "./claims.ts";

const marks = { yes: Check, no: X, open: Minus } as const;

export function Claims({
  run,
  agent,
  version,
}: {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly version: number;
}) {
  const { body } = usePage({ kind: "result", run, agent }, version);
  const claims = body === null ? [] : claimsOf(body);
  if (claims.length === 0) return null;
  return (
    <section>
      <h2>Claimed and observed</h2>
      <table className="claims">
        <thead className="heard">
          <tr>
            <th>Claimed</th>
            <th>Observed</th>
          </tr>
        </thead>
        <tbody>
          {claims.map((claim, at) => (
            <ClaimRow key={at} claim={claim} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClaimRow({ claim: { claimed, observed, holds } }: { readonly claim: Claim }) {
  const Mark = marks[holds];
  return (
    <tr>
      <td>{claimed}</td>
      <td className={holds === "yes" ? "good" : holds === "no" ? "bad" : "faint"}>
        <Mark size={11} aria-hidden="true" /> {observed}
      </td>
    </tr>
  );
}
