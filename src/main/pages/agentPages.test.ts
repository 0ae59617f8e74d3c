// What is read of one agent, over a journal that a story tells.

import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { packetPage } from "./agentPages.ts";

test("a packet says how the policy's conditions were judged, with what shows it and who says so", () => {
  const story = new Story({ options: { policy: { kind: "rules", preset: "default" } } }).start();
  story.spawn();
  const second = story.spawn({
    task: "Look at tests.",
    independence: { "independent-context": { verdict: "met", evidence: "It needs no other file." } },
  });
  const page = packetPage({ state: story.state, events: story.events, isNow: true }, second);
  expect(page.ok && page.value.verdicts.slice(0, 2)).toEqual([
    {
      condition: "independent-context",
      kind: "need",
      verdict: "met",
      evidence: "It needs no other file.",
      by: "lead",
    },
    { condition: "no-shared-state", kind: "need", verdict: "unknown", evidence: "Nothing was stated.", by: "system" },
  ]);
});
