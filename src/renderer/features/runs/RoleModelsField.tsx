// Which roles of a new run have a model of their own: as the settings say, or chosen for this run alone.

import { ChevronRight } from "lucide-react";

import type { Settings } from "../../../shared/contract/settings.ts";
import { usePage } from "../../client/Client.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { modelsAt, roleModelsAt } from "../providers.ts";
import type { Draft } from "./order.ts";

export interface RoleModelsFieldProps {
  readonly draft: Pick<Draft, "model" | "baseUrl" | "roleModels">;
  readonly set: (changes: Partial<Draft>) => void;
  readonly settings: Settings;
}

export function RoleModelsField({ draft, set, settings }: RoleModelsFieldProps) {
  const { model, baseUrl } = draft;
  const { body } = usePage({ kind: "roles", folder: null });
  const chosen = draft.roleModels ?? roleModelsAt(settings, baseUrl);
  const models = [...new Set([...modelsAt(settings, baseUrl), ...Object.values(chosen)])];
  // On a server with this one model there is nothing to choose.
  if (body === null || models.every((name) => name === model)) return null;
  return (
    <div className="field">
      <span className="field-label">Per role</span>
      <details className="role-models">
        <summary>
          <ChevronRight size={13} aria-hidden="true" />
          <span>{wordsOf(chosen, model)}</span>
        </summary>
        <div className="role-models-grid">
          {body.roles.map(({ name: role }) => (
            <label key={role}>
              <RoleName role={role} />
              <select
                value={chosen[role] ?? ""}
                onChange={(event) => {
                  const { [role]: _before, ...others } = chosen;
                  const name = event.currentTarget.value;
                  set({ roleModels: name === "" ? others : { ...others, [role]: name } });
                }}
              >
                <option value="">the run’s own</option>
                {models.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </details>
      <p className="margin-note">For whoever the lead sends without naming another.</p>
    </div>
  );
}

function wordsOf(chosen: Readonly<Record<string, string>>, model: string): string {
  const own = Object.entries(chosen).filter(([, name]) => name !== model);
  return own.length === 0 ? "the same for all" : own.map(([role, name]) => `${role}: ${name}`).join(", ");
}
