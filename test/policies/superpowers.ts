// Superpowers: side by side only under its conditions; whatever fails, or is not known, goes one after the other.

import { expect } from "vitest";

import { calls, say, spawn, submit, wait } from "../support/workbenchStory.ts";
import { dataOf, order, type System, waits } from "./system.ts";

const met = { verdict: "met", evidence: "They lie in two modules." };
const known = { "different-root-causes": met, "separate-subsystems": met, "independent-context": met };
const independent = { ...known, "no-shared-state": met };
const unknown = { ...known, "no-shared-state": { verdict: "unknown", evidence: "Nobody has looked." } };

export const superpowers: System = {
  title: "Superpowers: an unknown verdict serialises",
  task: "Superpowers sends three",
  options: ["--policy", "rules:superpowers"],
  entries: [
    {
      match: /^Superpowers sends/,
      turns: [
        calls(
          spawn("Superpowers first", { independence: independent }),
          spawn("Superpowers second", { independence: independent }),
          spawn("Superpowers third", { independence: unknown }),
        ),
        wait(["subagent-1", "subagent-2", "subagent-3"]),
        say("Three done."),
      ],
    },
    { match: /^Superpowers (first|second|third)/, turns: [submit("looked")] },
  ],
  check(shown, plain) {
    expect(
      dataOf(shown, "subagent.queued")
        .filter(({ code }) => code === "RULE")
        .at(0)?.sentence,
    ).toBe("Under rules:superpowers it may not run beside subagent-1, subagent-2: no-shared-state is unknown.");
    const last = dataOf(shown, "policy.judged")
      .at(-1)
      ?.verdicts.find(({ condition }) => condition === "no-shared-state");
    expect(last).toEqual({
      condition: "no-shared-state",
      kind: "need",
      verdict: "unknown",
      evidence: "Nobody has looked.",
      by: "lead",
    });
    expect(order(shown)).toMatch(/^\+1 \+2 -[12] -[12] \+3 -3$/);
    expect([waits(plain, "RULE"), dataOf(plain, "policy.judged")]).toEqual([[], []]);
    expect(order(plain)).toMatch(/^\+1 \+2 \+3/);
  },
};
