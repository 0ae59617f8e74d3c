// The role files of one of the repositories that have been worked in: what a run there is offered, and what of a file does
// not hold, with why.

import type { RoleLine } from "../../../shared/contract/care.ts";
import { usePage } from "../../client/Client.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { RepositoryChoice } from "./RepositoryChoice.tsx";

export function RepositoryRoles() {
  return (
    <RepositoryChoice label="Roles of a repository">
      {(folder) => <RoleFiles key={folder} folder={folder} />}
    </RepositoryChoice>
  );
}

function RoleFiles({ folder }: { readonly folder: string }) {
  const { body, failure } = usePage({ kind: "roles", folder });
  if (body === null)
    return (
      <PageState
        failure={failure}
        reading="The roles of the repository are being read"
        lost="Its roles could not be read"
        lines={2}
      />
    );
  if (body.files.length === 0)
    return (
      <p className="faint small">
        It brings none. A role is a file <code>.coppice/roles/NAME.md</code> with a <code>description</code> in its
        front matter and instructions below; those in <code>.claude/agents</code>, <code>.agents/agents</code> and{" "}
        <code>.goose/agents</code> are read too. Each run takes them from the commit that it starts at.
      </p>
    );
  return (
    <ul className="role-files">
      {body.files.map((file) => (
        <RoleFileLine key={file.path} {...file} />
      ))}
    </ul>
  );
}

function RoleFileLine({ path, name, about, tools, steps, model, problem, remarks }: RoleLine) {
  return (
    <li data-broken={problem !== null}>
      <header>
        <b>
          <RoleName role={name} />
        </b>
        <code className="faint">{path}</code>
      </header>
      {problem === null ? (
        <>
          <p>{about}</p>
          <p className="tool-names small">
            {tools.map((tool) => (
              <code key={tool}>{tool}</code>
            ))}
            <span className="faint">
              {steps} steps{model === null ? "" : `, on ${model}`}
            </span>
          </p>
        </>
      ) : (
        <p>
          <Mark shape="failed" word="No role" /> <Ticked text={problem} />
        </p>
      )}
      {remarks.map((remark) => (
        <p key={remark} className="faint small">
          {remark}
        </p>
      ))}
    </li>
  );
}
