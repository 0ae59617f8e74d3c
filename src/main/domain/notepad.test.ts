// The notepad of a run: who may write on it, who is told, and what was taken back.

import { describe, expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { notesToTell, standingNotes } from "./notepad.ts";

const add = (text: string, kind = "decision") => ({ type: "note.add", kind, text, by: "Ada" }) as const;
const textsOf = (story: Story) => standingNotes(story.state).map(({ text }) => text);

describe("a note", () => {
  test("of a person stands beside those of agents, until it is taken back", () => {
    const story = new Story().start();
    story.control({ tool: "note", input: { kind: "learning", text: "Line two is odd." } });
    const [own] = story.must(add("  Use cents.  "));
    expect(notesToTell(story.state)).toEqual({
      notes: [
        { by: "lead", kind: "learning", text: "Line two is odd." },
        { by: "Ada", kind: "decision", text: "Use cents." },
      ],
      leftOut: 0,
    });
    const retract = { type: "note.retract", note: own?.n ?? 0, by: "Ada" } as const;
    story.must(retract);
    expect([textsOf(story), story.must(retract)]).toEqual([["Line two is odd."], []]);
    expect(story.state.notes.map(({ retractedBy }) => retractedBy)).toEqual([null, "Ada"]);
  });

  test.each([
    ["NOTE_NOT_FOUND", { type: "note.retract", note: 1, by: "Ada" }],
    ["BAD_USAGE", add("   ")],
    ["BAD_USAGE", add("x".repeat(4_001))],
    ["BAD_USAGE", add("x", "y".repeat(41))],
  ] as const)("that cannot be is refused with %s", (code, command) => {
    expect(new Story().start().apply(command)).toMatchObject({ rejection: { code } });
  });

  test("comes too late once the run has stopped", () => {
    const story = new Story().start();
    const [note] = story.must(add("Use cents."));
    story.speak();
    story.must({ type: "run.stop" });
    const late = [add("More."), { type: "note.retract", note: note?.n ?? 0, by: "Ada" } as const];
    expect(late.map((command) => story.apply(command))).toEqual(
      late.map(() => ({ rejection: { code: "RUN_STOPPED", sentence: expect.any(String) as string } })),
    );
  });
});

test("what is told is bounded: a person's notes before agents', newer before older, in the order of their writing", () => {
  const story = new Story().start();
  story.must(add("First of all."));
  for (let index = 1; index <= 40; index++)
    story.control({ tool: "note", input: { kind: "learning", text: `${index}` } });
  const { notes, leftOut } = notesToTell(story.state);
  expect([notes.length, leftOut, notes[0], notes.at(-1)]).toEqual([
    20,
    21,
    { by: "Ada", kind: "decision", text: "First of all." },
    { by: "lead", kind: "learning", text: "40" },
  ]);
  for (let index = 1; index <= 20; index++) story.must(add(`${index} ${"long ".repeat(700)}`));
  expect(JSON.stringify(notesToTell(story.state).notes).length).toBeLessThanOrEqual(8_100);
});

test("the lead sees the notepad when it peeks", () => {
  const story = new Story().start();
  story.must(add("Use cents."));
  expect(story.control({ tool: "peekSubagents", input: {} })).toEqual({
    subagents: [],
    notes: [{ by: "Ada", kind: "decision", text: "Use cents." }],
  });
});
