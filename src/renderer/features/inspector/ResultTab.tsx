// What came back, what it rests on, and what the system saw itself.

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { EvidenceItem, ResultPage } from "../../../shared/contract/pages.ts";
import { Markdown } from "../../ui/Markdown.tsx";
import { formatCount, formatMoney } from "../../ui/formats.ts";
import { CodeLines, FactList } from "./FactList.tsx";
import { schemaWords, verificationWords } from "./resultWords.ts";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { useHeldPage } from "./useHeldPage.ts";

export interface ResultTabProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly version: number;
  readonly at: number | null;
}

export function ResultTab({ run, agent, version, at }: ResultTabProps) {
  const moment = at === null ? {} : { upTo: at };
  const { body, failure } = useHeldPage({ kind: "result", run, agent, ...moment }, version, `${run} ${agent}`);
  if (body === null)
    return <PageState failure={failure} reading="The result is being read" lost="The result could not be read" />;
  const { said, sentence, code, evidence } = body;
  return (
    <ScrollBox className="inspector-scroll" label="Result">
      {said === null ? (
        <p className="inspector-empty">{agent === "lead" ? "No answer yet." : "No result yet."}</p>
      ) : (
        <Said said={said} />
      )}
      {(sentence !== null || code !== null) && (
        <section className="passage">
          <h3>How it ended</h3>
          <p className="prose">
            {sentence} {code !== null && <code className="faint">{code}</code>}
          </p>
        </section>
      )}
      {evidence.length > 0 && (
        <section className="passage">
          <h3>Evidence</h3>
          <ul className="evidence">
            {evidence.map((item, at) => (
              // The same place may be named twice.
              <Evidence key={at} item={item} />
            ))}
          </ul>
        </section>
      )}
      <Observed observed={body.observed} />
    </ScrollBox>
  );
}

function Said({ said }: { readonly said: NonNullable<ResultPage["said"]> }) {
  const { answer, uncertainty, followups, verdicts, dataJson, schema } = said;
  return (
    <section className="passage">
      <h3>
        Said{schema !== "ok" && <span className="faint"> {schemaWords[schema]}</span>}
        {uncertainty !== null && <span className="faint">, with {uncertainty} uncertainty</span>}
      </h3>
      <Markdown text={answer} />
      {verdicts.map(({ criterion, verdict, evidence }) => (
        <p className="verdict" key={criterion}>
          <b>{verdict}</b> {criterion} <span className="faint">{evidence}</span>
        </p>
      ))}
      {followups.length > 0 && (
        <ul className="followups">
          {followups.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {dataJson !== null && <pre className="output">{dataJson}</pre>}
    </section>
  );
}

function Evidence({ item: { source, quote, line, mark } }: { readonly item: EvidenceItem }) {
  return (
    <li>
      <code>{line === undefined || source.endsWith(`:${line}`) ? source : `${source}:${line}`}</code>{" "}
      <span className={mark === "not found" ? "bad" : "faint"}>{mark}</span>
      {quote !== undefined && <pre className="output">{quote}</pre>}
    </li>
  );
}

function Observed({ observed }: { readonly observed: ResultPage["observed"] }) {
  const { toolsUsed, steps, inputTokens, outputTokens, costMicros, verification, filesChanged, diagnostic } = observed;
  return (
    <section className="passage">
      <h3>Observed</h3>
      <FactList
        rows={[
          ["Steps", String(steps)],
          ["Tokens", `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`],
          ["Cost", costMicros === null ? "unknown" : formatMoney(costMicros / 1_000_000)],
          ["Tools", toolsUsed.length === 0 ? null : <code>{toolsUsed.join(", ")}</code>],
          ["Checks", verificationWords[verification]],
          ["Files", filesChanged.length === 0 ? null : <CodeLines lines={filesChanged} />],
        ]}
      />
      {diagnostic !== null && <pre className="output">{diagnostic}</pre>}
    </section>
  );
}
