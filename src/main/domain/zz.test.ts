// Scratch.
import fc from "fast-check";
import { test, expect } from "vitest";
import { chooseCommand, pickFrom } from "../../../test/support/randomCommands.ts";
import { Story } from "../../../test/support/runStory.ts";
test("stats", () => {
  const types = new Map<string, number>(); const codes = new Map<string, number>(); const rej = new Map<string, number>();
  let maxN = 0, sum = 0, stops = 0; const N = 1000;
  const add = (m: Map<string, number>, k: string) => m.set(k, (m.get(k) ?? 0) + 1);
  const samples = fc.sample(fc.noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 100, maxLength: 800, size: "max" })), { numRuns: N, seed: 5 });
  for (const numbers of samples) {
    const told = new Story({ limits: { maxConcurrent: 3, maxExecutors: 2 }, options: { approve: numbers[0]! % 2 ? "auto" : "each" } });
    const pick = pickFrom(numbers);
    for (let step = 0; step < numbers.length / 4; step++) {
      const c = chooseCommand(told.state, pick);
      const o = told.apply(c);
      if ("rejection" in o) add(rej, c.type + " " + o.rejection.code);
    }
    for (const e of told.events) { add(types, e.type); if (e.type === "subagent.stopped") add(codes, e.data.status + " " + (e.data.code ?? "")); if (e.type === "handoff.refused") add(codes, e.data.code); if (e.type==="run.stopped") add(codes, e.data.reason); if (e.type==="subagent.resumed") add(codes, "after "+e.data.after); if (e.type==="subagent.queued") add(codes, "q "+e.data.code)}
    sum += told.events.length; maxN = Math.max(maxN, told.events.length);
    if (told.state.status === "stopped") stops++;
  }
  console.log(sum / N, maxN, stops, samples.reduce((s, x) => s + x.length, 0) / N);
  console.log(Object.fromEntries([...types].sort((a, b) => b[1] - a[1])), Object.fromEntries(codes), Object.fromEntries([...rej].sort((a,b)=>b[1]-a[1])));
  expect(1).toBe(1);
});
