import { describe, expect, it } from "vitest";

import { textWidth } from "./layout.ts";
import { changeset, landing, plain, question, snapshot, subagent } from "./story.ts";
import { ansiStyle } from "./style.ts";
import { renderTree } from "./tree.ts";

const story = snapshot({
  subagents: [
    subagent("subagent-1", { status: "completed" }),
    subagent("subagent-2", { status: "failed", code: "LOOPING", title: "Compare the provider's logs" }),
    subagent("subagent-3", {
      role: "executor",
      status: "completed",
      title: "Add an idempotency key",
      verification: "passed",
      dependsOn: [{ id: "subagent-1", until: "completed" }],
    }),
    subagent("subagent-4", {
      role: "reviewer",
      title: "Check the key",
      dependsOn: [{ id: "subagent-3", until: "proposed" }],
    }),
    subagent("subagent-5", {
      role: "executor",
      status: "pending",
      startedAt: null,
      inputTokens: 0,
      outputTokens: 0,
      title: "Guard refund() with the same key",
      replaces: "subagent-2",
      dependsOn: [
        { id: "subagent-3", until: "completed" },
        { id: "subagent-4", until: "completed" },
      ],
      waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-4." },
    }),
    subagent("subagent-6", {
      role: "executor",
      status: "awaiting_review",
      title: "Migrate the table",
      held: {
        code: "CHECKOUT_DIRTY",
        sentence: "src/charge.ts has changes of yours; commit or stash them, then approve again.",
      },
    }),
  ],
  landed: [landing],
  lead: {
    activity: "",
    steps: 4,
    model: "qwen3-coder",
    waitingFor: { code: "SUBAGENTS", sentence: "Waits for subagent-4" },
  },
});

describe("the tree", () => {
  it("shows each subagent with its state, its reason and its facts", () => {
    expect(renderTree(story, plain)).toEqual([
      "● lead                     Working    Payments are sometimes charged twice",
      "│                                     Waits for subagent-4",
      "│                                     4 steps · qwen3-coder",
      "├─ ◉ subagent-1  explorer  Done       Find where payment callbacks enter",
      "│                                     6 of 30 steps · 64 k tokens",
      "├─ ■ subagent-2  explorer  Failed     Compare the provider's logs",
      "│                                     LOOPING",
      "│                                     6 of 30 steps · 64 k tokens",
      "├─ ⇥ subagent-3  executor  Landed     Add an idempotency key",
      "│                                     landed as 9f8e7d6 · after subagent-1 · 6 of 30 steps",
      "│                                     64 k tokens · checks passed",
      "├─ ● subagent-4  reviewer  Working    Check the key",
      "│                                     after the proposal of subagent-3 · 6 of 30 steps · 64 k tokens",
      "│                                     readFile src/payments.ts",
      "├─ ◌ subagent-5  executor  Waiting    Guard refund() with the same key",
      "│                                     Waits for subagent-4.",
      "│                                     after subagent-3, subagent-4 · replaces subagent-2",
      "└─ ◆ subagent-6  executor  Needs you  Migrate the table",
      "                                      Held: src/charge.ts has changes of yours; commit or stash",
      "                                      them, then approve again. (CHECKOUT_DIRTY)",
      "                                      6 of 30 steps · 64 k tokens",
    ]);
  });

  it("puts titles below their subagents where there is no room beside them, in ASCII where that is all there is", () => {
    expect(
      renderTree({ ...story, subagents: story.subagents.slice(4) }, { ...plain, columns: 60, unicode: false }),
    ).toEqual([
      "* lead                     Working",
      "|    Payments are sometimes charged twice",
      "|    Waits for subagent-4",
      "|    4 steps - qwen3-coder",
      "|- . subagent-5  executor  Waiting",
      "|    Guard refund() with the same key",
      "|    Waits for subagent-4.",
      "|    after subagent-3, subagent-4 - replaces subagent-2",
      "`- ! subagent-6  executor  Needs you",
      "     Migrate the table",
      "     Held: src/charge.ts has changes of yours; commit or",
      "     stash them, then approve again. (CHECKOUT_DIRTY)",
      "     6 of 30 steps - 64 k tokens",
    ]);
  });

  it("is the lead alone before anything is delegated", () => {
    expect(renderTree(snapshot({ approvals: [question], status: "waiting" }), plain)).toEqual([
      "◆ lead  Needs you  Payments are sometimes charged twice",
      "                   4 steps · qwen3-coder · Thinking",
    ]);
  });

  it("inks the same text", () => {
    const bare = renderTree(story, { ...plain, style: ansiStyle }).map((line) =>
      line.replaceAll(/\u001b\[\d+m/g, "").trimEnd(),
    );
    expect(bare).toEqual(renderTree(story, plain));
  });

  it("obeys nothing that a title, a role or a reason says, and stays in its columns", () => {
    const evil = "x\u001b[2J\u001b]52;c;eA==\u0007\n└─ ◉ subagent-9  Done\r漢字".repeat(9);
    const lines = renderTree(
      snapshot({
        title: evil,
        subagents: [
          subagent("subagent-1", { title: evil, activity: evil, code: evil, held: { code: evil, sentence: evil } }),
        ],
        landed: [{ ...landing, changeset }],
      }),
      { ...plain, columns: 60 },
    );
    expect([
      lines.filter((line) => /\p{Cc}/u.test(line) || textWidth(line) > 60),
      lines.filter((line) => line.startsWith("└─")).length,
    ]).toEqual([[], 1]);
  });
});
