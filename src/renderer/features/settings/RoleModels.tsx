// A model for each role: of those that are set up, on any of the servers. A role without one has the run's own.

import { usePage } from "../../client/Client.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import type { PartProps } from "./part.ts";

export function RoleModels({ settings, change }: PartProps) {
  const { providers, roleModels } = settings;
  const { body } = usePage({ kind: "roles", folder: null });
  const choices = providers.flatMap(({ id, name: server, models }) =>
    models.map(({ name }) => ({ key: JSON.stringify({ provider: id, name }), provider: id, name, server })),
  );
  // With one model there is nothing to choose.
  if (body === null || (choices.length < 2 && Object.keys(roleModels).length === 0)) return null;
  const choose = (role: string, key: string) => {
    const { [role]: _before, ...others } = roleModels;
    const chosen = choices.find((one) => one.key === key);
    void change({
      roleModels:
        chosen === undefined ? others : { ...others, [role]: { provider: chosen.provider, name: chosen.name } },
    });
  };
  return (
    <section className="card role-models" aria-labelledby="role-models">
      <h3 id="role-models">A model for each role</h3>
      <p className="quiet">
        It holds in runs on that model’s server, for whoever the lead sends without naming another. Other runs keep to
        their own model throughout.
      </p>
      <table className="plain-table role-table">
        <tbody>
          {body.roles.map(({ name: role }) => {
            const own = roleModels[role];
            return (
              <tr key={role}>
                <th scope="row">
                  <label htmlFor={`role-model-${role}`}>
                    <RoleName role={role} />
                  </label>
                </th>
                <td>
                  <select
                    id={`role-model-${role}`}
                    value={own === undefined ? "" : JSON.stringify({ provider: own.provider, name: own.name })}
                    onChange={(event) => choose(role, event.currentTarget.value)}
                  >
                    <option value="">the run’s own</option>
                    {choices.map(({ key, name, server }) => (
                      <option key={key} value={key}>
                        {name}, {server}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
