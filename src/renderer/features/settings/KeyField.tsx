// Where the key of a server is: nowhere, in a variable of the environment, or in the keychain. A key that is typed goes
// straight there; the page does not keep it.

import { useState } from "react";
import type { FormEvent } from "react";

import type { KeyPlace, Provider } from "../../../shared/contract/settings.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useTakeCare } from "../../client/Client.tsx";
import { TextField } from "./SettingFields.tsx";

export interface KeyFieldProps {
  readonly provider: Provider;
  readonly keychain: string | null;
  readonly onPlace: (place: KeyPlace) => void;
}

export function KeyField({ provider, keychain, onPlace }: KeyFieldProps) {
  const { key, name, id } = provider;
  const choose = (from: string) => {
    if (from === "environment") onPlace({ from: "environment", name: "OPENAI_API_KEY" });
    else onPlace({ from: from === "keychain" ? "keychain" : "none" });
  };
  return (
    <>
      <label htmlFor={`key-${id}`}>Key</label>
      <select id={`key-${id}`} value={key.from} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="none">none needed</option>
        <option value="environment">in a variable</option>
        {(keychain !== null || key.from === "keychain") && (
          <option value="keychain">in {keychain ?? "a keychain that is not here"}</option>
        )}
      </select>
      {key.from === "environment" && (
        <TextField
          id={`variable-${id}`}
          label={`Variable with the key of ${name}`}
          isCode
          value={key.name}
          onCommit={(variable) => variable !== "" && onPlace({ from: "environment", name: variable })}
        />
      )}
      {key.from === "keychain" && keychain !== null && <KeptKey id={id} name={name} />}
    </>
  );
}

function KeptKey({ id, name }: { readonly id: string; readonly name: string }) {
  const takeCare = useTakeCare();
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  async function forget(): Promise<void> {
    const answer = await takeCare({ type: "forgetKey", provider: id });
    setFailure(answer.ok ? null : answer.error);
  }
  async function keep(event: FormEvent): Promise<void> {
    event.preventDefault();
    const answer = await takeCare({ type: "keepKey", provider: id, key: typed });
    setFailure(answer.ok ? null : answer.error);
    if (answer.ok) setTyped("");
  }
  return (
    <form className="kept-key" onSubmit={(event) => void keep(event)}>
      <input
        type="password"
        autoComplete="off"
        aria-label={`Key of ${name}`}
        placeholder="paste it here"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" className="btn" disabled={typed.trim() === ""}>
        Keep
      </button>
      <button type="button" className="btn" onClick={() => void forget()}>
        Forget
      </button>
      {failure !== null && <small className="bad">{failure.message}</small>}
    </form>
  );
}
