import { expect, test } from "vitest";

import { worstMoney } from "./worstMoney.ts";

const unlimited = { steps: 90, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null };
const figures = (budget: Partial<Record<keyof typeof unlimited, number>>) => ({
  width: 2,
  count: 3,
  budget: { ...unlimited, ...budget },
});
const tokens = { inputTokens: 300_000, outputTokens: 60_000 };

test("a template costs at most what its tokens do at the model's price, else what the run may", () => {
  const price = { input: 2_000_000, output: 10_000_000 };
  expect([
    worstMoney(figures(tokens), { price, areOthers: false }),
    worstMoney(figures({ ...tokens, costMicros: 500_000 }), { price, areOthers: false }),
    worstMoney(figures(tokens), { price, areOthers: true }),
    worstMoney(figures({ inputTokens: 1 }), { price, areOthers: false }),
    worstMoney(figures(tokens), { price: null, areOthers: false }),
  ]).toEqual([
    ", at most $1.20",
    ", at most $0.50",
    ", in money at most the run’s limit",
    ", in money at most the run’s limit",
    "",
  ]);
});
