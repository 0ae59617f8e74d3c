import { describe, expect, it } from "vitest";

import { textWidth } from "./layout.ts";
import { noon, plain, question, run } from "./story.ts";
import { renderApprovals, renderDoctor, renderRuns, type RunLine } from "./tables.ts";

const rows: readonly RunLine[] = [
  {
    run,
    title: "Payments are sometimes charged twice, and refunds are not guarded",
    status: "running",
    stopReason: null,
    repo: "/home/ada/shop",
    createdAt: noon,
  },
  {
    run: "a9" as RunLine["run"],
    title: "Old one",
    status: "stopped",
    stopReason: "max_steps",
    repo: "C:\\work\\till\\",
    createdAt: noon - 86_400_000,
  },
];

describe("the run list", () => {
  it("aligns its columns and cuts the task", () => {
    expect(renderRuns(rows, { ...plain, columns: 92 })).toEqual([
      "run         state                   started           repository  task",
      "k3v9x2m7qa  ● Working               2026-11-30 12:00  shop        Payments are sometimes ch…",
      "a9          ■ Failed, out of steps  2026-11-29 12:00  till        Old one",
    ]);
  });

  it("leaves out when and where on a narrow terminal", () => {
    expect(renderRuns(rows, { ...plain, columns: 60, unicode: false })).toEqual([
      "run         state                   task",
      "k3v9x2m7qa  * Working               Payments are sometime...",
      "a9          x Failed, out of steps  Old one",
    ]);
  });

  it("says how to begin when it is empty", () => {
    expect(renderRuns([], plain)).toEqual([
      "No runs yet.",
      "  coppice run --task TEXT   starts one in the repository you are in",
      "  coppice demo              shows one: no key, no network",
    ]);
  });

  it("obeys no title", () => {
    const [, line = ""] = renderRuns([{ ...(rows[0] as RunLine), title: "a\u001b[1A\u001b[2K\nb" }], plain);
    expect(line).toBe("k3v9x2m7qa  ● Working  2026-11-30 12:00  shop        a ↵ b");
  });
});

describe("the approvals", () => {
  it("come with the commands that decide them", () => {
    expect(
      renderApprovals(
        [
          { ...question, run },
          { ...question, run, kind: "question", agent: "lead", summary: "Which\nbranch?" },
        ],
        plain,
      ),
    ).toEqual([
      "◆ Change set  subagent-3 · run k3v9x2m7qa · since 2026-11-30 12:01",
      "  Add an idempotency key to charge(): 2 hunks in 1 file",
      "    coppice diff k3v9x2m7qa subagent-3",
      "    coppice approve k3v9x2m7qa-a1",
      "    coppice send-back k3v9x2m7qa-a1 --comment TEXT",
      "    coppice reject k3v9x2m7qa-a1",
      "",
      "◆ Question  lead · run k3v9x2m7qa · since 2026-11-30 12:01",
      "  Which ↵ branch?",
      "    coppice answer k3v9x2m7qa-a1 TEXT",
    ]);
  });

  it("say so when nothing waits", () => {
    expect(renderApprovals([], plain)).toEqual([
      "Nothing waits for you.",
      "  coppice runs              lists what there is",
    ]);
  });
});

describe("the doctor", () => {
  const good = { id: "I1", title: "Events are numbered without gaps", ok: true, details: [] };

  it("says what holds", () => {
    expect(renderDoctor([good], plain)).toEqual(["◉ holds   I1  Events are numbered without gaps", "", "All 1 hold."]);
  });

  it("says what is broken and by what", () => {
    const bad = {
      id: "I12",
      title: "No worktree is left behind",
      ok: false,
      details: ["/home/ada/.coppice/worktrees/k3-1 is on disk and in no journal"],
    };
    const lines = renderDoctor([good, bad], { ...plain, columns: 60, unicode: false });
    expect([lines, lines.filter((line) => textWidth(line) > 60)]).toEqual([
      [
        "+ holds   I1   Events are numbered without gaps",
        "x broken  I12  No worktree is left behind",
        "               /home/ada/.coppice/worktrees/k3-1 is on disk",
        "               and in no journal",
        "",
        "1 of 2 invariants is broken.",
      ],
      [],
    ]);
  });
});
