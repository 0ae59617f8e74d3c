import { expect, test } from "vitest";

import type { ModelOutcome, ModelPort, ModelRequest } from "../engine/ports/model.ts";
import { routeModels } from "./route.ts";

const watch = { signal: new AbortController().signal, onText: () => undefined, onData: () => undefined };
const request = (model: string): ModelRequest => ({ model, messages: [], tools: [], firstEventMs: 1, idleMs: 1 });

function port(name: string, asked: string[], outcome: Partial<ModelOutcome> = {}): ModelPort {
  return {
    complete: ({ model }) => {
      asked.push(`${name} ${model}`);
      const answer = { kind: "failed", code: "X", message: "no", retryable: true, retryAfterMs: null, text: "" };
      return Promise.resolve({ ...answer, ...outcome } as ModelOutcome);
    },
  };
}

test("a request goes to the server of its model and to no other, and a failure there says whose model it is and where", async () => {
  const asked: string[] = [];
  const model = routeModels(
    port("own", asked),
    new Map([["large", { port: port("lab", asked), name: "reviewer: the model large at LAB" }]]),
  );
  const outcomes = [await model.complete(request("m"), watch), await model.complete(request("large"), watch)];
  expect(asked).toEqual(["own m", "lab large"]);
  expect(outcomes).toMatchObject([
    { message: "no", retryable: true },
    { message: "reviewer: the model large at LAB: no", retryable: true },
  ]);
});
