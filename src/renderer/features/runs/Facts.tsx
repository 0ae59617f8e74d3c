// A run's particulars, as a list of names and values.

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { formatCount, formatMoment, formatMoney } from "../../ui/formats.ts";

type Fact = readonly [name: string, value: string, isCode?: "code"];

export function Facts({ snapshot }: { readonly snapshot: RunSnapshot }) {
  return (
    <section className="passage" aria-labelledby="facts-title">
      <h2 id="facts-title">Run</h2>
      <dl className="facts">
        {factsOf(snapshot).map(([name, value, isCode]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isCode === "code" ? <code>{value}</code> : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf({ run, repo, lead, createdAt, stopReason, usage, budget, at }: RunSnapshot): readonly Fact[] {
  const facts: Fact[] = [
    ["Id", run, "code"],
    ["Repository", repo, "code"],
    ["Started", formatMoment(createdAt)],
    ["Model", lead.model, "code"],
  ];
  if (stopReason !== null) facts.push(["Stopped by", stopReason, "code"]);
  facts.push([
    "Requests",
    `${usage.requests}, ${formatCount(usage.inputTokens)} tokens in (${formatCount(usage.cachedTokens)} cached), ${formatCount(usage.outputTokens)} out`,
  ]);
  const limit = budget.limit.costMicros;
  if (limit !== null)
    facts.push([
      "Budget",
      `${formatMoney(budget.used.costMicros / 1_000_000)} used, ${formatMoney(budget.reserved.costMicros / 1_000_000)} held, of ${formatMoney(limit / 1_000_000)}`,
    ]);
  facts.push(["As of", `event ${at}`]);
  return facts;
}
