// The model of a new run: one of those in the settings, or any other by its name and address.

import { useState } from "react";

import type { Settings } from "../../../shared/contract/settings.ts";
import { Field } from "./Field.tsx";
import { RoleModelsField } from "./RoleModelsField.tsx";
import type { Draft } from "./order.ts";

export interface ModelFieldProps {
  readonly draft: Pick<Draft, "model" | "baseUrl" | "roleModels" | "workers">;
  readonly set: (changes: Partial<Draft>) => void;
  readonly settings: Settings | null;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly model: string;
  readonly baseUrl: string;
}

export function ModelField({ draft, set, settings }: ModelFieldProps) {
  const choices = choicesOf(settings);
  const chosen = choices.find(({ model, baseUrl }) => model === draft.model && baseUrl === draft.baseUrl);
  const [isOther, setIsOther] = useState(false);
  const isTyped = choices.length === 0 || isOther || (chosen === undefined && draft.model !== "");
  return (
    <>
      {choices.length > 0 && (
        <Field label={isTyped ? "Models" : "Model"} note="For the lead, and for every subagent without one of its own.">
          {(field) => (
            <select
              id={field}
              value={isTyped ? "" : (chosen?.key ?? choices[0]?.key)}
              onChange={(event) => {
                const next = choices.find(({ key }) => key === event.currentTarget.value);
                setIsOther(next === undefined);
                if (next !== undefined) set({ model: next.model, baseUrl: next.baseUrl, roleModels: null });
              }}
            >
              {choices.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
              <option value="">another…</option>
            </select>
          )}
        </Field>
      )}
      {isTyped && (
        <>
          <Field label="Model" note="For the lead and every subagent.">
            {(field) => (
              <input
                id={field}
                className="code-input"
                value={draft.model}
                spellCheck={false}
                onChange={(event) => set({ model: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field
            label="Model server"
            note="An OpenAI-compatible address. Left empty, OPENAI_BASE_URL says; the key is that of the settings, or OPENAI_API_KEY."
          >
            {(field) => (
              <input
                id={field}
                className="code-input"
                inputMode="url"
                value={draft.baseUrl}
                placeholder="http://127.0.0.1:11434/v1"
                spellCheck={false}
                onChange={(event) => set({ baseUrl: event.currentTarget.value, roleModels: null })}
              />
            )}
          </Field>
        </>
      )}
      {settings !== null && draft.workers !== "alone" && (
        <RoleModelsField draft={draft} set={set} settings={settings} />
      )}
    </>
  );
}

/** The starred model first, then the others as the settings have them. */
export function choicesOf(settings: Settings | null): readonly Choice[] {
  if (settings === null) return [];
  const all = settings.providers.flatMap(({ id, name, baseUrl, models }) =>
    models.map((model) => ({
      key: `${id}/${model.name}`,
      label: `${model.name}, ${name}`,
      model: model.name,
      baseUrl,
      isFirst: settings.model?.provider === id && settings.model.name === model.name,
    })),
  );
  return all.toSorted((left, right) => Number(right.isFirst) - Number(left.isFirst));
}
