// Whether a subagent may run beside others: what the lead states, what the machine sees, and what waits because of it.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import type { RulePreset } from "../../../shared/contract/policy.ts";
import type { Independence, SpawnArguments } from "../commands.ts";
import { ruleSets } from "./conditions.ts";

const met = (...names: readonly string[]): Independence =>
  Object.fromEntries(names.map((name) => [name, { verdict: "met", evidence: "They lie in two modules." }]));
const allMet = met("independent-context", "no-shared-state");

/** A run under `rules` with one explorer at work, and what became of a second spawn. */
function second(input: Partial<SpawnArguments>, preset: RulePreset = "default", first: Partial<SpawnArguments> = {}) {
  const story = new Story({ options: { policy: { kind: "rules", preset } } }).start();
  story.spawn(first);
  const id = story.spawn(input);
  const judged = story.events.findLast((event) => event.type === "policy.judged");
  return { story, node: story.node(id), verdicts: judged?.data.verdicts ?? [] };
}

describe("under rules", () => {
  test("the first starts, whatever was left unsaid: it runs beside nothing", () => {
    const story = new Story({ options: { policy: { kind: "rules", preset: "default" } } }).start();
    expect(story.node(story.spawn()).status).toBe("running");
  });

  test("another starts once each condition is stated as met", () => {
    const { node, verdicts } = second({ independence: allMet });
    expect(node.status).toBe("running");
    expect(verdicts.map(({ condition, verdict, by }) => [condition, verdict, by])).toEqual([
      ["independent-context", "met", "lead"],
      ["no-shared-state", "met", "lead"],
      ["related-failures", "unknown", "system"],
      ["needs-whole-state", "unknown", "system"],
      ["exploratory", "unknown", "system"],
      ["shared-resources", "unknown", "system"],
    ]);
  });

  test.each<[string, Independence | undefined, string]>([
    ["nothing is stated", undefined, "independent-context is unknown; no-shared-state is unknown"],
    ["one is left out", met("no-shared-state"), "independent-context is unknown"],
    [
      "one is unknown",
      { ...allMet, "no-shared-state": { verdict: "unknown", evidence: "Not looked at." } },
      "no-shared-state is unknown",
    ],
    [
      "one is not met",
      { ...allMet, "independent-context": { verdict: "not_met", evidence: "It builds on the first." } },
      "independent-context is not met",
    ],
    [
      "a veto applies",
      { ...allMet, exploratory: { verdict: "met", evidence: "Nobody knows yet." } },
      "exploratory applies",
    ],
  ])("it waits, with the reason, when %s, and starts once nothing else runs", (_, independence, reason) => {
    const { story, node } = second({ independence });
    expect(node).toMatchObject({
      status: "ready",
      queue: { code: "RULE", sentence: `Under rules:default it may not run beside subagent-1: ${reason}.` },
    });
    story.complete("subagent-1");
    expect(story.node(node.id).status).toBe("running");
  });

  test("what the machine sees stands above what the lead states", () => {
    const edits = { role: "executor", paths: ["src/pay"], independence: allMet };
    const overlapping = second({ ...edits, paths: ["src/pay/charge.js"] }, "default", edits);
    expect(overlapping.verdicts.find(({ condition }) => condition === "no-shared-state")).toEqual({
      condition: "no-shared-state",
      kind: "need",
      verdict: "not_met",
      evidence: "Its paths overlap those of subagent-1.",
      by: "system",
    });
    expect(overlapping.node.queue?.code).toBe("RULE");
    const unclaimed = second({ role: "executor", independence: allMet }, "default", edits);
    expect(unclaimed.node.queue?.sentence).toContain("no-shared-state is not met; shared-resources applies");
    expect(second({ ...edits, paths: ["lib"] }, "default", edits).node.status).toBe("running");
  });
});

describe("a preset", () => {
  test("of superpowers asks for its four", () => {
    expect(second({ independence: allMet }, "superpowers").node.queue?.sentence).toContain(
      "different-root-causes is unknown; separate-subsystems is unknown",
    );
    const four = met("different-root-causes", "separate-subsystems", "independent-context", "no-shared-state");
    expect(second({ independence: four }, "superpowers").node.status).toBe("running");
  });

  test("of parallel-unless-blocked lets all run but what depends, and keeps the blocker on the edge", () => {
    const { story, node } = second({}, "parallel-unless-blocked");
    expect(node.status).toBe("running");
    const blocked = story.spawn({ dependsOn: [{ id: "subagent-1", because: "It needs the schema." }] });
    expect(story.node(blocked).dependsOn).toEqual([
      { id: "subagent-1", until: "completed", because: "It needs the schema." },
    ]);
    expect(story.node(blocked).queue?.code).toBe("DEPENDENCY");
  });

  test("names each condition once", () => {
    for (const { needs, vetoes } of Object.values(ruleSets)) {
      const names = [...needs, ...vetoes].map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

test("under llm nothing is judged and nothing waits for a rule", () => {
  const story = new Story().start();
  story.spawn();
  expect(story.node(story.spawn()).status).toBe("running");
  expect(story.events.some(({ type }) => type === "policy.judged")).toBe(false);
});
