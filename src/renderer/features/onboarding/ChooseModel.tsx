// The second of the first steps: a model that can call tools, found on this computer or named by its address, each tried
// before it is trusted.

import { useCallback, useEffect, useState } from "react";

import type { CareBodies } from "../../../shared/contract/care.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import { useReadPage } from "../../client/Client.tsx";
import { ModelTestResult } from "../ModelTestResult.tsx";
import { choosing } from "../providers.ts";
import { ServerForm } from "../ServerForm.tsx";
import { useModelTest } from "../useModelTest.ts";
import { useSettingsChange } from "../useSettings.ts";

export interface ChooseModelProps {
  readonly settings: Settings;
  readonly keychain: string | null;
}

type Found = CareBodies["localServers"];

/** Models shown of one server until somebody wants them all. */
const shownModels = 3;

export function ChooseModel({ settings, keychain }: ChooseModelProps) {
  const { found, look } = useLocalServers();
  return (
    <div className="choose-model">
      <p className="quiet">
        It must be able to call tools. Any server that speaks OpenAI’s protocol will do, on this computer or elsewhere.
      </p>
      <section aria-label="Found on this computer">
        <h3>
          Found on this computer
          <button type="button" className="link" onClick={() => void look()} disabled={found === "looking"}>
            Look again
          </button>
        </h3>
        {found === "looking" ? (
          <p className="faint small" role="status">
            Looking at the usual ports…
          </p>
        ) : (
          <LocalModels found={found} settings={settings} />
        )}
      </section>
      <section aria-label="Any other server">
        <h3>Any other server</h3>
        <ServerForm verb="Use this model" settings={settings} keychain={keychain} onChosen={() => undefined} />
      </section>
    </div>
  );
}

function LocalModels({ found, settings }: { readonly found: Found; readonly settings: Settings }) {
  const { servers, silent } = found;
  return (
    <ul className="found">
      {servers.map((server) => (
        <LocalServer key={server.baseUrl} server={server} settings={settings} />
      ))}
      {silent.length > 0 && (
        <li className="found-silent faint">
          {silent.map(({ name, port }) => (
            <span key={port}>
              {name} <code>{port}</code>
            </span>
          ))}
          <span className="push">not running</span>
        </li>
      )}
    </ul>
  );
}

function LocalServer({ server, settings }: { readonly server: Found["servers"][number]; readonly settings: Settings }) {
  const [isWhole, setIsWhole] = useState(false);
  const models = isWhole ? server.models : server.models.slice(0, shownModels);
  const moreCount = server.models.length - models.length;
  if (server.models.length === 0)
    return (
      <li className="found-silent faint">{server.name} runs and has no model yet. Load one there, then look again.</li>
    );
  return (
    <>
      {models.map((model) => (
        <LocalModel key={model} server={server} model={model} settings={settings} />
      ))}
      {moreCount > 0 && (
        <li>
          <button type="button" className="link small" onClick={() => setIsWhole(true)}>
            Show {moreCount} more of {server.name}
          </button>
        </li>
      )}
    </>
  );
}

interface LocalModelProps {
  readonly server: Found["servers"][number];
  readonly model: string;
  readonly settings: Settings;
}

function LocalModel({ server, model, settings }: LocalModelProps) {
  const { standing, test } = useModelTest();
  const { change } = useSettingsChange();
  const provider = settings.providers.find(({ baseUrl }) => baseUrl === server.baseUrl);
  const isChosen = provider !== undefined && settings.model?.provider === provider.id && settings.model.name === model;
  const port = URL.parse(server.baseUrl)?.port ?? "";

  async function choose(): Promise<void> {
    const { name, baseUrl } = server;
    if (await change(choosing(settings, { name, baseUrl, key: { from: "none" } }, model)))
      void test({ baseUrl: server.baseUrl, model });
  }
  return (
    <li className="found-model" data-chosen={isChosen}>
      <label>
        <input type="radio" name="found-model" checked={isChosen} onChange={() => void choose()} />
        <b className="one">{model}</b>
        <code className="faint">
          {server.name}, {port}
        </code>
      </label>
      <button
        type="button"
        className="link"
        disabled={standing.kind === "testing"}
        onClick={() => void test({ baseUrl: server.baseUrl, model })}
      >
        {standing.kind === "tested" ? "Test again" : "Test"}
        <span className="heard"> {model}</span>
      </button>
      <ModelTestResult standing={standing} />
    </li>
  );
}

const nobody: Found = { servers: [], silent: [] };

/** Asks the usual ports of this computer when the step is opened, and again when somebody says so. */
function useLocalServers() {
  const readPage = useReadPage();
  const [found, setFound] = useState<Found | "looking">("looking");
  const look = useCallback(async () => {
    setFound("looking");
    const answer = await readPage("localServers", {});
    setFound(answer.ok ? answer.value : nobody);
  }, [readPage]);
  useEffect(() => {
    let isShown = true;
    void readPage("localServers", {}).then((answer) => {
      if (isShown) setFound(answer.ok ? answer.value : nobody);
    });
    return () => void (isShown = false);
  }, [readPage]);
  return { found, look };
}
