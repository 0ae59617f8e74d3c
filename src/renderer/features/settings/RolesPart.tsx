// The roles, as they are read: what each may do is fixed before an agent of it starts, and can only be narrowed. How far
// the files of a repository may go is the person's to say.

import { usePage } from "../../client/Client.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import type { PartProps } from "./part.ts";
import { RepositoryRoles } from "./RepositoryRoles.tsx";

const ceilings: Readonly<Record<string, string>> = {
  read: "reads only",
  write: "reads and writes, in a worktree of its own",
  execute: "runs commands, in a worktree of its own",
  external: "reaches beyond this computer",
};

export function RolesPart({ settings, change }: PartProps) {
  const { repositoryCeiling } = settings.roles;
  return (
    <>
      <p className="quiet">
        What a subagent may do is fixed by its role before it starts. A packet can narrow it; nothing widens it. The
        lead reads, and delegates everything else.
      </p>
      <BuiltIn />
      <Choices
        label="Roles from files of a repository"
        options={[
          ["read", "Read", "tools that write or run are left out"],
          ["write", "Read and write", "in a worktree of their own"],
          ["execute", "Run commands too", "as the approvals say"],
        ]}
        chosen={repositoryCeiling}
        onChoose={(ceiling) => void change({ roles: { repositoryCeiling: ceiling } })}
      />
      <RepositoryRoles key={repositoryCeiling} />
    </>
  );
}

function BuiltIn() {
  const { body, failure } = usePage({ kind: "roles", folder: null });
  if (body === null)
    return <PageState failure={failure} reading="The roles are being read" lost="The roles could not be read" />;
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">May</th>
          <th scope="col">Tools</th>
          <th scope="col" className="num">
            Steps
          </th>
        </tr>
      </thead>
      <tbody>
        {body.roles.map(({ name, tools, ceiling, steps }) => (
          <tr key={name}>
            <th scope="row">
              <RoleName role={name} />
            </th>
            <td>
              {tools.includes("applyEdit") ? "reads, writes and runs, in a worktree of its own" : ceilings[ceiling]}
            </td>
            <td className="tool-names">
              {tools.map((tool) => (
                <code key={tool}>{tool}</code>
              ))}
            </td>
            <td className="num fig">{steps}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
