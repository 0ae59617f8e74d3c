// What the live test of a model saw, in a line; or why the model does not do, and what to try.

import { Check } from "lucide-react";

import { Ticked } from "../ui/Ticked.tsx";
import { formatCount, formatDuration } from "../ui/formats.ts";
import type { TestStanding } from "./useModelTest.ts";

export function ModelTestResult({ standing }: { readonly standing: TestStanding }) {
  // The live region stays in the page, so that what appears in it is spoken.
  return (
    <div className="model-test small" role="status">
      {standing.kind === "testing" && (
        <p className="faint">Asking it to call a tool. A model that has to be loaded first may take a minute.</p>
      )}
      {standing.kind === "tested" && standing.test.problem === null && (
        <p className="model-works">
          <span className="good">
            <Check size={12} aria-hidden="true" /> answers in {formatDuration(standing.test.answeredMs)}
          </span>
          <span className="good">
            <Check size={12} aria-hidden="true" /> calls tools
          </span>
          <span className="faint">
            {standing.test.contextTokens === null
              ? "context size not known"
              : `${formatCount(standing.test.contextTokens)} tokens of context`}
          </span>
        </p>
      )}
      {standing.kind === "tested" && standing.test.problem !== null && (
        <p className="bad">
          <Ticked text={standing.test.problem.message} /> <code className="faint">{standing.test.problem.code}</code>
        </p>
      )}
    </div>
  );
}
