// A model server by its address: where its key is, which models it lists, and a live test of one of them. Lies beside the
// features because the first steps and the settings both offer it.

import { useId, useState } from "react";
import type { FormEvent } from "react";

import type { KeyPlace, Settings } from "../../shared/contract/settings.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useReadPage, useTakeCare } from "../client/Client.tsx";
import { Notice } from "../ui/Notice.tsx";
import { ModelTestResult } from "./ModelTestResult.tsx";
import { choosing, isOnThisComputer, nameOfAddress } from "./providers.ts";
import { useModelTest } from "./useModelTest.ts";
import { useSettingsChange } from "./useSettings.ts";

export interface ServerFormProps {
  readonly settings: Settings;
  /** What the keychain is called; `null`: keys come from the environment. */
  readonly keychain: string | null;
  /** What the button says that keeps it. */
  readonly verb: string;
  /** Told which model was chosen, once the settings have it. */
  readonly onChosen: (model: string) => void;
}

export function ServerForm({ settings, keychain, verb, onChosen }: ServerFormProps) {
  const [baseUrl, setBaseUrl] = useState("");
  const [model, setModel] = useState("");
  /** The key itself where there is a keychain, else the name of a variable. */
  const [key, setKey] = useState("");
  const models = useModelList();
  const { standing, test, forget } = useModelTest();
  const { change, failure, isBusy } = useSettingsChange();
  const takeCare = useTakeCare();
  const [keyFailure, setKeyFailure] = useState<Failure | null>(null);
  const place = keyPlace(key, keychain, baseUrl);
  const query = { baseUrl: baseUrl.trim(), ...(keychain !== null && key !== "" ? { key } : {}) };
  const isComplete = baseUrl.trim() !== "" && model.trim() !== "";

  async function choose(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete) return;
    const changes = choosing(settings, { name: nameOfAddress(baseUrl), baseUrl, key: place }, model.trim());
    if (!(await change(changes))) return;
    if (place.from === "keychain" && key !== "") {
      const kept = await takeCare({ type: "keepKey", provider: changes.model.provider, key });
      setKeyFailure(kept.ok ? null : kept.error);
      if (!kept.ok) return;
    }
    // The key is the keychain's now; the page forgets it.
    setKey("");
    onChosen(model.trim());
  }

  return (
    <form className="server-form" onSubmit={(event) => void choose(event)}>
      <Fields
        keychain={keychain}
        names={models.names}
        baseUrl={baseUrl}
        keyText={key}
        model={model}
        onBaseUrl={(address) => {
          setBaseUrl(address);
          forget();
          models.forget();
        }}
        onKey={setKey}
        onModel={(name) => {
          setModel(name);
          forget();
        }}
        onRest={() => void models.read(query)}
      />
      <div className="server-acts">
        <button
          type="button"
          className="btn"
          disabled={!isComplete || standing.kind === "testing"}
          onClick={() => void test({ ...query, model: model.trim() })}
        >
          Test
        </button>
        <button type="submit" className="btn" disabled={!isComplete || isBusy}>
          {verb}
        </button>
      </div>
      <ModelTestResult standing={standing} />
      {models.failure !== null && <p className="bad small">{models.failure.message}</p>}
      {[failure, keyFailure].map(
        (one) => one !== null && <Notice key={one.code} title="Not kept" message={one.message} code={one.code} />,
      )}
    </form>
  );
}

interface FieldsProps {
  readonly keychain: string | null;
  /** Models that the server lists. */
  readonly names: readonly string[];
  readonly baseUrl: string;
  readonly keyText: string;
  readonly model: string;
  readonly onBaseUrl: (baseUrl: string) => void;
  readonly onKey: (key: string) => void;
  readonly onModel: (model: string) => void;
  /** Somebody has finished with a field. */
  readonly onRest: () => void;
}

function Fields(props: FieldsProps) {
  const { keychain, names, baseUrl, keyText, model, onBaseUrl, onKey, onModel, onRest } = props;
  const id = useId();
  return (
    <>
      <p>
        <label htmlFor={`${id}-url`}>Address</label>
        <input
          id={`${id}-url`}
          className="code-input"
          inputMode="url"
          placeholder="https://api.example.com/v1"
          spellCheck={false}
          value={baseUrl}
          onChange={(event) => onBaseUrl(event.currentTarget.value)}
          onBlur={onRest}
        />
      </p>
      <p>
        <label htmlFor={`${id}-key`}>{keychain === null ? "Variable with its key" : "Key"}</label>
        <input
          id={`${id}-key`}
          className="code-input"
          type={keychain === null ? "text" : "password"}
          autoComplete="off"
          placeholder={keychain === null ? "OPENAI_API_KEY" : ""}
          spellCheck={false}
          value={keyText}
          onChange={(event) => onKey(event.currentTarget.value)}
          onBlur={onRest}
        />
        <small className="faint">
          {keychain === null
            ? "No keychain here: name the environment variable that Coppice was started with. A server on this computer needs none."
            : `It stays in ${keychain}. A server on this computer needs none.`}
        </small>
      </p>
      <p>
        <label htmlFor={`${id}-model`}>Model</label>
        <input
          id={`${id}-model`}
          className="code-input"
          list={`${id}-models`}
          placeholder={names.length > 0 ? `one of ${names.length}` : ""}
          spellCheck={false}
          value={model}
          onChange={(event) => onModel(event.currentTarget.value)}
        />
        <datalist id={`${id}-models`}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      </p>
    </>
  );
}

function keyPlace(key: string, keychain: string | null, baseUrl: string): KeyPlace {
  if (key.trim() !== "") return keychain === null ? { from: "environment", name: key.trim() } : { from: "keychain" };
  return isOnThisComputer(baseUrl) ? { from: "none" } : { from: "environment", name: "OPENAI_API_KEY" };
}

/** What a server lists, read when one has finished typing its address. */
function useModelList() {
  const readPage = useReadPage();
  const [names, setNames] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    names,
    failure,
    forget() {
      setNames([]);
      setFailure(null);
    },
    async read(query: { readonly baseUrl: string; readonly key?: string }) {
      if (!/^https?:\/\/\S+/.test(query.baseUrl)) return;
      const answer = await readPage("serverModels", query);
      setNames(answer.ok ? answer.value.models.map(({ name }) => name) : []);
      setFailure(answer.ok ? null : answer.error);
    },
  };
}
