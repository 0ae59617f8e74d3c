// Model servers and their models: where the key of each is, what a model costs and how much it takes, and whether it answers.

import { Star, Trash2 } from "lucide-react";
import { useState } from "react";

import type { Provider, ProviderModel } from "../../../shared/contract/settings.ts";
import { Mark } from "../../ui/Mark.tsx";
import { ModelTestResult } from "../ModelTestResult.tsx";
import { ServerForm } from "../ServerForm.tsx";
import { useModelTest } from "../useModelTest.ts";
import { NumberField, TextField } from "./SettingFields.tsx";
import { withProviders } from "../providers.ts";
import { KeyField } from "./KeyField.tsx";
import { RoleModels } from "./RoleModels.tsx";
import type { PartProps } from "./part.ts";

export function ModelsPart(props: PartProps) {
  const { settings, snapshot } = props;
  const [isAdding, setIsAdding] = useState(false);
  const isOpen = isAdding || settings.providers.length === 0;
  return (
    <>
      <p className="quiet">
        Servers that speak OpenAI’s protocol, on this computer or elsewhere. New runs are offered these models, the
        starred one first.
      </p>
      {settings.providers.map((provider) => (
        <ProviderCard key={provider.id} provider={provider} {...props} />
      ))}
      {isOpen ? (
        <section className="card" aria-label="Add a server">
          <h3>Add a server</h3>
          <ServerForm
            verb="Add it"
            settings={settings}
            keychain={snapshot.keychain}
            onChosen={() => setIsAdding(false)}
          />
        </section>
      ) : (
        <button type="button" className="btn" onClick={() => setIsAdding(true)}>
          Add a server or a model…
        </button>
      )}
      <RoleModels {...props} />
    </>
  );
}

interface ProviderProps extends PartProps {
  readonly provider: Provider;
}

function ProviderCard(props: ProviderProps) {
  const { provider, settings, snapshot, change } = props;
  const hasKey = snapshot.keysFound.includes(provider.id);
  const replace = (changes: Partial<Provider>) =>
    void change({
      providers: settings.providers.map((one) => (one.id === provider.id ? { ...provider, ...changes } : one)),
    });
  return (
    <section className="card provider" aria-label={provider.name}>
      <header>
        <TextField
          id={`name-${provider.id}`}
          label="Name of the server"
          value={provider.name}
          onCommit={(name) => name !== "" && replace({ name })}
        />
        <TextField
          id={`url-${provider.id}`}
          label={`Address of ${provider.name}`}
          isCode
          value={provider.baseUrl}
          onCommit={(baseUrl) => baseUrl !== "" && replace({ baseUrl })}
        />
        <button
          type="button"
          className="btn bare"
          aria-label={`Remove ${provider.name}`}
          title={`Remove ${provider.name}`}
          onClick={() =>
            void change(
              withProviders(
                settings,
                settings.providers.filter(({ id }) => id !== provider.id),
              ),
            )
          }
        >
          <Trash2 size={14} aria-hidden="true" />
        </button>
      </header>
      <p className="provider-key">
        <KeyField provider={provider} keychain={snapshot.keychain} onPlace={(key) => replace({ key })} />
        {provider.key.from !== "none" && (
          <Mark shape={hasKey ? "done" : "needs-you"} word={hasKey ? "Key found" : "No key found"} />
        )}
      </p>
      <table className="plain-table models">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">$ a million tokens in</th>
            <th scope="col">out</th>
            <th scope="col">Tokens at once</th>
            <th scope="col">
              <span className="heard">What can be done with it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {provider.models.map((model) => (
            <ModelRow key={model.name} model={model} {...props} onReplace={replace} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ModelRowProps extends ProviderProps {
  readonly model: ProviderModel;
  readonly onReplace: (changes: Partial<Provider>) => void;
}

const micros = 1_000_000;

function ModelRow({ model, provider, settings, change, onReplace }: ModelRowProps) {
  const { standing, test } = useModelTest();
  const isFirst = settings.model?.provider === provider.id && settings.model.name === model.name;
  const set = (changes: Partial<ProviderModel>) =>
    onReplace({ models: provider.models.map((one) => (one.name === model.name ? { ...model, ...changes } : one)) });
  const id = `model-${provider.id}-${model.name}`;
  const remove = () =>
    void change(
      withProviders(
        settings,
        settings.providers.map((one) =>
          one.id === provider.id
            ? { ...provider, models: provider.models.filter(({ name }) => name !== model.name) }
            : one,
        ),
      ),
    );
  return (
    <>
      <tr>
        <th scope="row">
          <code>{model.name}</code>
        </th>
        <td>
          <PriceField id={id} model={model} side="input" onPrice={(price) => set({ price })} />
        </td>
        <td>
          <PriceField id={id} model={model} side="output" onPrice={(price) => set({ price })} />
        </td>
        <td>
          <label className="heard" htmlFor={`${id}-context`}>
            Tokens that {model.name} takes at once
          </label>
          <NumberField
            id={`${id}-context`}
            value={model.contextTokens}
            mayBeEmpty
            placeholder="as listed"
            onCommit={(contextTokens) => set({ contextTokens })}
          />
        </td>
        <td className="row-acts">
          <ModelActs
            name={model.name}
            isFirst={isFirst}
            isTesting={standing.kind === "testing"}
            onFirst={() => void change({ model: isFirst ? null : { provider: provider.id, name: model.name } })}
            onTest={() => void test({ baseUrl: provider.baseUrl, model: model.name })}
            onRemove={remove}
          />
        </td>
      </tr>
      {standing.kind !== "untested" && (
        <tr className="test-row">
          <td colSpan={5}>
            <ModelTestResult standing={standing} />
          </td>
        </tr>
      )}
    </>
  );
}

interface PriceFieldProps {
  readonly id: string;
  readonly model: ProviderModel;
  readonly side: "input" | "output";
  readonly onPrice: (price: ProviderModel["price"]) => void;
}

/** Of one side; emptied, both sides are as listed. */
function PriceField({ id, model, side, onPrice }: PriceFieldProps) {
  return (
    <>
      <label className="heard" htmlFor={`${id}-${side}`}>
        Price of {model.name}, tokens {side === "input" ? "in" : "out"}
      </label>
      <NumberField
        id={`${id}-${side}`}
        value={model.price === null ? null : model.price[side] / micros}
        min={0}
        max={micros}
        mayBeEmpty
        isFraction
        placeholder="as listed"
        onCommit={(usd) =>
          onPrice(
            usd === null ? null : { ...(model.price ?? { input: 0, output: 0 }), [side]: Math.round(usd * micros) },
          )
        }
      />
    </>
  );
}

interface ModelActsProps {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isTesting: boolean;
  readonly onFirst: () => void;
  readonly onTest: () => void;
  readonly onRemove: () => void;
}

function ModelActs({ name, isFirst, isTesting, onFirst, onTest, onRemove }: ModelActsProps) {
  return (
    <>
      <button
        type="button"
        className="btn bare"
        aria-pressed={isFirst}
        aria-label={`Offer ${name} first`}
        title="Offer it first"
        onClick={onFirst}
      >
        <Star size={14} aria-hidden="true" fill={isFirst ? "currentColor" : "none"} />
      </button>
      <button type="button" className="btn" disabled={isTesting} onClick={onTest}>
        Test<span className="heard"> {name}</span>
      </button>
      <button type="button" className="btn bare" aria-label={`Remove ${name}`} title="Remove" onClick={onRemove}>
        <Trash2 size={14} aria-hidden="true" />
      </button>
    </>
  );
}
