// What an agent was given: its objective word for word, what bounds it, and what others gave it.

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { PacketPage } from "../../../shared/contract/pages.ts";
import { usePage } from "../../client/Client.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { countOf, formatLimit, formatMoney } from "../../ui/formats.ts";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { AgentLink } from "./AgentLink.tsx";
import { CodeLines, FactList } from "./FactList.tsx";
import { answerIn } from "./resultWords.ts";
import { PageState } from "../../ui/PageState.tsx";

export interface PacketTabProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly onSelect: (agent: AgentId) => void;
}

/** A packet never changes, so it needs no moment. */
export function PacketTab({ run, agent, onSelect }: PacketTabProps) {
  const { body, failure } = usePage({ kind: "packet", run, agent });
  if (body === null)
    return <PageState failure={failure} reading="The packet is being read" lost="The packet could not be read" />;
  const { objective, context, constraints, criteria, paths, tools, warnings, gave } = body;
  return (
    <ScrollBox className="inspector-scroll" label="Packet">
      <section className="packet">
        <h3>
          {agent === "lead" ? "Task" : "Packet"} <span>{agent === "lead" ? "from a person" : "from the lead"}</span>
        </h3>
        <Markdown text={objective} />
        <FactList
          rows={[
            ["Because", body.reason],
            ["Must", constraints.length === 0 ? null : <Lines lines={constraints} />],
            ["Criteria", criteria.length === 0 ? null : <Lines lines={criteria} />],
            ["Paths", agent === "lead" ? null : paths === null ? "none claimed" : <CodeLines lines={paths} />],
            ["Tools", tools.length === 0 ? null : <code>{tools.join(", ")}</code>],
            ["Model", <code key="model">{body.model}</code>],
            ["Limits", limitsOf(body)],
            ["Policy", body.policy],
            ["Remarked", warnings.length === 0 ? null : <Lines lines={warnings} />],
          ]}
        />
      </section>
      <Verdicts verdicts={body.verdicts} />
      {gave.map(({ id, until, resultJson }) => (
        <section className="passage" key={id}>
          <h3>
            From <AgentLink agent={id} onSelect={onSelect} />, once it had {until}
          </h3>
          <Given resultJson={resultJson} />
        </section>
      ))}
      {context !== null && (
        <section className="passage">
          <h3>Context</h3>
          <pre className="output">{context}</pre>
        </section>
      )}
    </ScrollBox>
  );
}

/** The answer, and folded what else stands in the result; all of it where there is no answer to be read. */
function Given({ resultJson }: { readonly resultJson: string }) {
  const answer = answerIn(resultJson);
  const whole = <pre className="output">{resultJson}</pre>;
  if (answer === null) return whole;
  return (
    <>
      <Markdown text={answer} />
      <details className="aside">
        <summary>The whole result, as it was handed over</summary>
        {whole}
      </details>
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line, at) => (
        // The same line may stand there twice.
        <li key={at}>
          <Ticked text={line} />
        </li>
      ))}
    </ul>
  );
}

function limitsOf({ maxSteps, timeoutMs, budget: { costMicros } }: PacketPage): string {
  return [
    countOf(maxSteps, "step"),
    ...(timeoutMs === null ? [] : [formatLimit(timeoutMs)]),
    ...(costMicros === null ? [] : [formatMoney(costMicros / 1_000_000)]),
  ].join(", ");
}

const verdictWords = { met: "met", not_met: "not met", unknown: "unknown" } as const;

/** Whether it may run beside others: each condition of the policy with what shows it, and who says so. */
function Verdicts({ verdicts }: Pick<PacketPage, "verdicts">) {
  if (verdicts.length === 0) return null;
  return (
    <section className="passage">
      <h3>Whether it may run beside others</h3>
      <ul className="verdicts">
        {verdicts.map(({ condition, kind, verdict, evidence, by }) => (
          <li key={condition} data-hinders={kind === "need" ? verdict !== "met" : verdict === "met"}>
            <p>
              <code>{condition}</code>
              <b>{kind === "veto" && verdict === "met" ? "applies" : verdictWords[verdict]}</b>
              <span className="faint push">{by === "lead" ? "the lead" : "Coppice"}</span>
            </p>
            <p className="faint">
              <Ticked text={evidence} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
