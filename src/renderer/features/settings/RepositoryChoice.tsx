// One of the repositories that have been worked in, to look at what its files bring.

import { useId, useState } from "react";
import type { ReactNode } from "react";

import { usePage } from "../../client/Client.tsx";

export interface RepositoryChoiceProps {
  /** What is looked at. */
  readonly label: string;
  readonly children: (folder: string) => ReactNode;
}

export function RepositoryChoice({ label, children }: RepositoryChoiceProps) {
  const id = useId();
  const { body } = usePage({ kind: "folders", typed: "" });
  const [chosen, setChosen] = useState<string | null>(null);
  const repositories = (body?.folders ?? []).filter(({ isRepository }) => isRepository);
  const folder = chosen ?? repositories[0]?.path ?? null;
  if (folder === null)
    return body === null ? null : (
      <p className="faint small">Once a run has worked in a repository, what it brings is listed here.</p>
    );
  return (
    <section aria-label={label} className="repository-roles">
      <div className="setting wide">
        <label htmlFor={id}>In the repository</label>
        <select id={id} value={folder} onChange={(event) => setChosen(event.currentTarget.value)}>
          {repositories.map(({ path }) => (
            <option key={path}>{path}</option>
          ))}
        </select>
      </div>
      {children(folder)}
    </section>
  );
}
