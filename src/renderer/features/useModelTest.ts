// The live test of a model, asked for by a press, and what it saw. Lies beside the features because several of them offer it.

import { useCallback, useRef, useState } from "react";

import type { CareQueries, ModelTest } from "../../shared/contract/care.ts";
import { useReadPage } from "../client/Client.tsx";

export type TestStanding =
  | { readonly kind: "untested" }
  | { readonly kind: "testing" }
  | { readonly kind: "tested"; readonly test: ModelTest };

export function useModelTest(): {
  readonly standing: TestStanding;
  /** Answers with what was seen. */
  readonly test: (query: CareQueries["modelTest"]) => Promise<ModelTest | null>;
  readonly forget: () => void;
} {
  const readPage = useReadPage();
  const [standing, setStanding] = useState<TestStanding>({ kind: "untested" });
  const latest = useRef(0);
  const test = useCallback(
    async (query: CareQueries["modelTest"]) => {
      const own = (latest.current += 1);
      setStanding({ kind: "testing" });
      const answer = await readPage("modelTest", query);
      if (own !== latest.current) return null;
      const seen = answer.ok ? answer.value : { ...unanswered, problem: answer.error };
      setStanding({ kind: "tested", test: seen });
      return seen;
    },
    [readPage],
  );
  const forget = useCallback(() => {
    latest.current += 1;
    setStanding({ kind: "untested" });
  }, []);
  return { standing, test, forget };
}

const unanswered = { answered: false, answeredMs: 0, callsTools: false, contextTokens: null } as const;
