// How many of the models that are set up answer. Only servers on this computer are asked: nothing leaves it before a run does.

import { useEffect, useMemo, useState } from "react";

import type { Provider } from "../../../shared/contract/settings.ts";
import { useReadPage } from "../../client/Client.tsx";
import { isOnThisComputer } from "../providers.ts";
import { useSettings } from "../useSettings.ts";
import { modelsWords } from "./modelsWords.ts";

const askAgainMs = 60_000;
const none: readonly Provider[] = [];

export function ModelsFoot() {
  const { settings } = useSettings();
  const providers = settings?.providers ?? none;
  const here = useMemo(() => providers.filter(({ baseUrl }) => isOnThisComputer(baseUrl)), [providers]);
  const answering = useAnswering(here);
  if (settings === null) return null;
  const words = modelsWords({ here: modelCount(here), all: modelCount(providers), answering });
  return (
    <span className="rail-models one" title={words}>
      {words}
    </span>
  );
}

function modelCount(providers: readonly Provider[]): number {
  return providers.reduce((sum, { models }) => sum + models.length, 0);
}

/** Models of these that their servers list now; `null` before they have been asked. */
function useAnswering(providers: readonly Provider[]): number | null {
  const readPage = useReadPage();
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let isWanted = true;
    const ask = async ({ baseUrl, models }: Provider) => {
      const answer = await readPage("serverModels", { baseUrl });
      const listed = answer.ok ? answer.value.models.map(({ name }) => name) : [];
      return models.filter(({ name }) => listed.includes(name)).length;
    };
    const askAll = async () => {
      const counts = await Promise.all(providers.map(ask));
      if (isWanted) setCount(counts.reduce((sum, one) => sum + one, 0));
    };
    void askAll();
    const timer = setInterval(() => void askAll(), askAgainMs);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [providers, readPage]);
  return count;
}
