import { describe, expect, it } from "vitest";

import type { RunEvent } from "../../../domain/events.ts";
import { createProgress } from "./progress.ts";
import { createJournal, plain, snapshot } from "./story.ts";

const spoken = { request: "r1", toolCalls: [], finish: "stop", usage: null, costMicros: null };
const estimate = { inputTokens: 1, outputTokens: 1, costMicros: null };

describe("live text", () => {
  const event = createJournal();
  const asked = event("lead", "model.requested", { request: "r1", model: "m", estimate });
  const said = event("lead", "model.completed", {
    ...spoken,
    text: "First \u001b[1mpart\u001b[0m.\n\nSecond part.\n\nThird.",
  });

  function hear(pieces: readonly string[], between: readonly RunEvent[] = []): readonly string[] {
    const lines: string[] = [];
    const progress = createProgress({ ...plain, write: (line) => lines.push(line) });
    progress.live("lead", "lost, nothing has begun");
    progress.event(asked, snapshot());
    for (const piece of pieces) progress.live("lead", piece);
    progress.live("subagent-1", "not ours\n\n");
    for (const event of between) progress.event(event, snapshot());
    lines.push("--");
    progress.event(said, snapshot());
    return lines;
  }

  it("comes by paragraphs as the lead speaks, and only once", () => {
    expect(hear(["First \u001b", "[1mpart\u001b[0m.\n", "\nSecond", " part.\n\nThi", "rd."])).toEqual([
      "12:00:01    lead                  First part.",
      "12:00:01    lead                  Second part.",
      "--",
      "12:00:02    lead                  Third.",
    ]);
  });

  it("is shown again in full when the turn ended as another text", () => {
    expect(hear(["Something else.\n\nAnd"])).toEqual([
      "12:00:01    lead                  Something else.",
      "--",
      "12:00:02    lead                  First part.",
      "",
      "                                  Second part.",
      "",
      "                                  Third.",
    ]);
  });

  it("starts afresh when the request is asked again", () => {
    const retried = event("lead", "model.retried", { request: "r1", attempt: 2, waitMs: 1_000, reason: "cut off" });
    expect(hear(["First \u001b[1mpart\u001b[0m.\n\nSec"], [retried]).slice(1)).toEqual([
      "12:00:03    lead                  Asks again in 1.0 s: attempt 2, cut off",
      "--",
      "12:00:02    lead                  First part.",
      "",
      "                                  Second part.",
      "",
      "                                  Third.",
    ]);
  });
});
