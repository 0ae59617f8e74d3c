// The roles, as they are read: what each may do is fixed before an agent of it starts, and can only be narrowed.

import { usePage } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

const ceilings: Readonly<Record<string, string>> = {
  read: "reads only",
  write: "reads and writes, in a worktree of its own",
  execute: "runs commands, in a worktree of its own",
  external: "reaches beyond this computer",
};

export function RolesPart() {
  const { body, failure } = usePage({ kind: "roles" });
  if (body === null)
    return failure === null ? (
      <Skeleton lines={5} label="The roles are being read" />
    ) : (
      <Notice title="The roles could not be read" message={failure.message} code={failure.code} />
    );
  return (
    <>
      <p className="quiet">
        What a subagent may do is fixed by its role before it starts. A packet can narrow it; nothing widens it. The
        lead reads, and delegates everything else.
      </p>
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
    </>
  );
}
