// Who is asked before something lands or runs, what was allowed for good, and a tester that asks the engine's own rules.

import { Trash2 } from "lucide-react";
import { useEffect, useId, useState } from "react";

import type { CareBodies, RuleTest } from "../../../shared/contract/care.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { usePage, useReadPage } from "../../client/Client.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { CommandPath } from "./CommandPath.tsx";
import { Patterns } from "./Patterns.tsx";
import { NotDone } from "../Spoken.tsx";
import { TrustedCommands } from "./TrustedCommands.tsx";
import { useCare } from "../useCare.ts";
import type { PartProps } from "./part.ts";

export function ApprovalsPart(props: PartProps) {
  const { settings, change } = props;
  const { run } = settings;
  const [version, setVersion] = useState(0);
  const { body, failure } = usePage({ kind: "rules" }, version);
  const repositories = body?.repositories ?? [];
  return (
    <>
      <Choices
        label="Changes"
        options={[
          ["each", "Each change set", "before it lands"],
          ["final", "Once, at the end", "on a branch of the run"],
          ["auto", "Automatic", "when the checks pass"],
        ]}
        chosen={run.approve}
        onChoose={(approve) => void change({ run: { ...run, approve } })}
      />
      <Choices
        label="Commands"
        options={[
          ["ask", "Ask", "before each that is new"],
          ["allow", "Allow, confined", "asks where it cannot be confined"],
          ["deny", "None", "only the checks run"],
        ]}
        chosen={run.commands}
        onChoose={(commands) => void change({ run: { ...run, commands } })}
      />
      <Tester repositories={repositories} />
      <section aria-label="Commands allowed for good">
        <h3>Commands allowed for good</h3>
        {failure !== null && (
          <Notice title="The rules could not be read" message={failure.message} code={failure.code} />
        )}
        {body !== null && repositories.length === 0 && (
          <p className="faint">None yet. When a command asks, “for this repository” keeps exactly that command here.</p>
        )}
        {repositories.map((repository) => (
          <Allowed key={repository.repository} {...repository} onForgotten={() => setVersion((before) => before + 1)} />
        ))}
      </section>
      <TrustedCommands trusted={body?.trusted ?? []} onForgotten={() => setVersion((before) => before + 1)} />
      <CommandPath {...props} />
      <section aria-label="Protected paths">
        <h3>Protected paths</h3>
        <p className="faint small">
          A change of one of these never lands unasked: they decide what runs elsewhere, or hold secrets.
        </p>
        <Patterns patterns={body?.protectedPaths ?? []} />
      </section>
    </>
  );
}

type Repository = CareBodies["rules"]["repositories"][number];

function Allowed({ repository, folder, lines, onForgotten }: Repository & { readonly onForgotten: () => void }) {
  const [said, take] = useCare();
  return (
    <div className="allowed">
      <h4 className="one faint">{folder}</h4>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <code>{line}</code>
            <button
              type="button"
              className="btn bare"
              aria-label={`Take back: ${line}`}
              title="Take it back"
              onClick={() => void take({ type: "forgetRule", repository, line }).then(onForgotten)}
            >
              <Trash2 size={13} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <NotDone said={said} />
    </div>
  );
}

const verdicts: Readonly<Record<RuleTest["verdict"], readonly [Shape, string]>> = {
  runs: ["done", "Runs"],
  asks: ["needs-you", "Asks you"],
  refused: ["rejected", "Refused"],
  lands: ["landed", "May land unasked"],
  reviewed: ["needs-you", "You review it"],
};

function Tester({ repositories }: { readonly repositories: readonly Repository[] }) {
  const id = useId();
  const [line, setLine] = useState("git push --force");
  const [path, setPath] = useState("");
  const [where, setWhere] = useState("");
  const command = useTest("commandTest", line, where);
  const change = useTest("pathTest", path, "");
  return (
    <section className="card tester" aria-label="What would happen?">
      <h3>What would happen?</h3>
      <div className="tester-row">
        <label htmlFor={`${id}-line`}>to the command</label>
        <input
          id={`${id}-line`}
          className="code-input"
          spellCheck={false}
          value={line}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        {repositories.length > 0 && (
          <select
            aria-label="In which repository"
            value={where}
            onChange={(event) => setWhere(event.currentTarget.value)}
          >
            <option value="">in a repository without rules</option>
            {repositories.map(({ repository, folder }) => (
              <option key={repository} value={repository}>
                in {folder}
              </option>
            ))}
          </select>
        )}
        <Verdict test={command.test} failure={command.failure} />
      </div>
      <div className="tester-row">
        <label htmlFor={`${id}-path`}>to a change of</label>
        <input
          id={`${id}-path`}
          className="code-input"
          spellCheck={false}
          placeholder=".github/workflows/ci.yml"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Verdict test={change.test} failure={change.failure} />
      </div>
    </section>
  );
}

function Verdict({ test, failure }: { readonly test: RuleTest | null; readonly failure: Failure | null }) {
  return (
    <p className="verdict" role="status">
      {failure !== null && <span className="bad">{failure.message}</span>}
      {test !== null && (
        <>
          <Mark shape={verdicts[test.verdict][0]} word={verdicts[test.verdict][1]} /> <span>{test.sentence}</span>
        </>
      )}
    </p>
  );
}

/** So long after the last letter the rules are asked, ms. */
const restMs = 150;

function useTest(kind: "commandTest" | "pathTest", text: string, where: string) {
  const readPage = useReadPage();
  const [seen, setSeen] = useState<{ readonly test: RuleTest | null; readonly failure: Failure | null }>({
    test: null,
    failure: null,
  });
  useEffect(() => {
    let isWanted = true;
    const ask = async () => {
      const trimmed = text.trim();
      if (trimmed === "") return setSeen({ test: null, failure: null });
      const answer =
        kind === "commandTest"
          ? await readPage(kind, { line: trimmed, repository: where === "" ? null : where })
          : await readPage(kind, { path: trimmed });
      if (isWanted) setSeen(answer.ok ? { test: answer.value, failure: null } : { test: null, failure: answer.error });
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [kind, text, where, readPage]);
  return seen;
}
