// What a run can go by: the lead's own judgement, the rules of a preset with each condition, and templates, the built-in ones
// and those of a repository, each with where it comes from and what is wrong with it.

import { usePage } from "../../client/Client.tsx";
import type { CareBodies } from "../../../shared/contract/care.ts";
import type { TemplateChoice } from "../../../shared/contract/template.ts";
import { Choices } from "../../ui/Choices.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { presetWords, sayFigures } from "../policies.ts";
import { RepositoryChoice } from "./RepositoryChoice.tsx";
import type { PartProps } from "./part.ts";

type Policies = CareBodies["policies"];

export function PoliciesPart({ settings, change }: PartProps) {
  const { body, failure } = usePage({ kind: "policies", folder: null });
  return (
    <>
      <p className="quiet">
        A policy says what may work side by side. The lead follows it in every run; whatever it does, the limits hold.
      </p>
      <Choices
        label="New runs"
        options={[
          ["llm", "As the lead sees fit", "within the limits"],
          ["rules:default", "Independent work", "side by side with evidence"],
          ["rules:superpowers", "Superpowers’ four", "own cause, own subsystem"],
          ["rules:parallel-unless-blocked", "Unless blocked", "side by side is the rule"],
        ]}
        chosen={settings.policy}
        onChoose={(policy) => void change({ policy })}
      />
      <PageState
        isThere={body !== null}
        failure={failure}
        reading="The policies are being read"
        lost="The policies could not be read"
        lines={6}
      />
      {body !== null && (
        <>
          <section aria-label="Rules">
            <h3>Rules</h3>
            <p className="faint small">
              Before a subagent starts beside another, the lead states each condition with its evidence. What shares
              files the system sees by itself. Until all are met the subagent waits, and says for which.
            </p>
            {body.presets.map((preset) => (
              <Preset key={preset.name} {...preset} />
            ))}
          </section>
          <section aria-label="Templates">
            <h3>Templates</h3>
            <p className="faint small">
              A template fixes the graph before the start: who works on what, who waits for whom, and what all of it may
              use. It is chosen for a run.
            </p>
            <ul className="role-files">
              {body.templates.map((template) => (
                <TemplateLine key={template.name} {...template} path={null} />
              ))}
            </ul>
            <RepositoryChoice label="Templates of a repository">
              {(folder) => <TemplateFiles key={folder} folder={folder} />}
            </RepositoryChoice>
          </section>
        </>
      )}
    </>
  );
}

function Preset({ name, needs, vetoes }: Policies["presets"][number]) {
  const { label, meaning } = presetWords[name];
  return (
    <details className="preset">
      <summary>
        <b>{label}</b> <span className="faint">{meaning}</span>
      </summary>
      <dl className="sandbox-view">
        {needs.map((condition) => (
          <Condition key={condition.name} {...condition} kind="Needs" />
        ))}
        {vetoes.map((condition) => (
          <Condition key={condition.name} {...condition} kind="Not while" />
        ))}
      </dl>
    </details>
  );
}

interface ConditionProps {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

function Condition({ kind, name, text }: ConditionProps) {
  return (
    <>
      <dt>{kind}</dt>
      <dd>
        {text} <code className="faint">{name}</code>
      </dd>
    </>
  );
}

function TemplateFiles({ folder }: { readonly folder: string }) {
  const { body, failure } = usePage({ kind: "policies", folder });
  if (body === null)
    return (
      <PageState
        failure={failure}
        reading="The templates of the repository are being read"
        lost="Its templates could not be read"
        lines={2}
      />
    );
  if (body.files.length === 0)
    return (
      <p className="faint small">
        It brings none. A template is a file <code>.coppice/templates/NAME.json</code>. Each run takes it from the
        commit that it starts at.
      </p>
    );
  return (
    <ul className="role-files">
      {body.files.map((template) => (
        <TemplateLine key={template.path} {...template} />
      ))}
    </ul>
  );
}

/** `path`: the file that it is of; `null` for a built-in one. */
function TemplateLine({ name, about, figures, problem, path }: TemplateChoice & { readonly path: string | null }) {
  return (
    <li data-broken={problem !== null}>
      <header>
        <b>{name}</b>
        {path === null ? <span className="faint small">built in</span> : <code className="faint">{path}</code>}
      </header>
      {problem === null ? (
        <p>
          {about} <span className="faint">{sayFigures({ figures, problem })}</span>
        </p>
      ) : (
        <p>
          <Mark shape="failed" word="Cannot be run" /> <Ticked text={problem} />
        </p>
      )}
    </li>
  );
}
