import { describe, expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import { storyRun, storyStart } from "../graph/fixtures.ts";
import { storyItem, storyItems } from "./fixtures.ts";
import { hitTest } from "./hit.ts";
import { laneItems } from "./laneItems.ts";
import { barsWithin, buildLanes } from "./lanes.ts";
import { fitScale, xOf } from "./scale.ts";

const items = storyItems(storyStart);
const lanes = buildLanes(items, storyRun.subagents);
const lane = (ordinal: number) => lanes[ordinal];

describe("lanes", () => {
  test("are the lead's and then one for each subagent by number", () => {
    expect(lanes.map(({ agent }) => agent)).toEqual(["lead", ...storyRun.subagents.map(({ id }) => id)]);
  });

  test("know agents of which only the items tell, as at a moment that is replayed", () => {
    expect(buildLanes(items, storyRun.subagents.slice(0, 2)).map(({ title }) => title)).toEqual([
      "Lead",
      "Find where payment callbacks enter",
      "Map the payment state machine",
      ...Array.from({ length: 8 }, () => ""),
    ]);
  });

  test("are named by whoever knows them, also before they exist", () => {
    const names = [{ id: subagentId(9), role: "executor", title: "Guard refund()" }];
    const named = buildLanes(items, storyRun.subagents.slice(0, 2), names)[9];
    expect([named?.role, named?.title, named?.endedAt]).toEqual(["executor", "Guard refund()", Infinity]);
  });

  test("show set-up from the start to the first turn", () => {
    const seconds = [5, 7, 9].map((ordinal) => {
      const setup = lane(ordinal)?.setup ?? null;
      return setup && [(setup.from - storyStart) / 1_000, (setup.until - storyStart) / 1_000];
    });
    expect(seconds).toEqual([[240, 266], [315, 349], null]);
  });

  test("mark what was asked and answered, what is open, what landed and what failed", () => {
    const marks = [3, 5, 6, 7].map((ordinal) =>
      lane(ordinal)?.marks.map(({ kind, isOpen }) => (isOpen ? `${kind}!` : kind)),
    );
    expect(marks).toEqual([
      ["failed"],
      ["ready", "landed"],
      ["asked", "answered", "ready!"],
      ["asked", "answered", "asked!"],
    ]);
  });

  test("hold a wait for context as queued: it is nobody's turn but the lead's", () => {
    const [, subagent] = buildLanes(
      [storyItem({ agent: subagentId(1), kind: "waiting", label: "Waits for context" })],
      [],
    );
    expect([subagent?.queued.items.length, subagent?.asks.items.length, subagent?.marks.length]).toEqual([1, 0, 0]);
  });

  test("keep failed tool calls apart", () => {
    expect(lane(3)?.failedCalls.items.map(({ label }) => label)).toEqual(["searchText", "searchText", "searchText"]);
  });

  test("list all that is in them once, in order", () => {
    const listed = lanes.flatMap((each) => laneItems(each).map(({ n }) => n)).toSorted((a, b) => a - b);
    expect(listed).toEqual(items.map(({ n }) => n));
  });
});

test("a bar that began long before is found, and one that has not begun is not", () => {
  const [lead] = buildLanes(
    [
      storyItem({ at: 0, until: 90 }),
      storyItem({ at: 10, until: 20 }),
      storyItem({ at: 30, until: 40 }),
      storyItem({ at: 60, until: 70 }),
    ],
    [],
  );
  expect(lead && [barsWithin(lead.turns, 50, 55), barsWithin(lead.turns, 95, 99)]).toEqual([
    [0, 3],
    [4, 4],
  ]);
});

describe("under the pointer", () => {
  const scale = fitScale({ from: storyStart, until: storyStart + 1_544_000 }, [], 1_000);
  const rows = { axisHeight: 20, leadHeight: 23, laneHeight: 19, scrollTop: 0 };
  const hit = (seconds: number, ordinal: number, scrollTop = 0) =>
    hitTest(
      lanes,
      scale,
      { ...rows, scrollTop },
      xOf(scale, storyStart + seconds * 1_000),
      ordinal === 0 ? 30 : 20 + 23 + (ordinal - 0.5) * 19 - scrollTop,
    );

  test.each([
    [397, 3, "subagent-3", "LOOPING"],
    [585, 5, "subagent-5", "npm test"],
    [900, 5, "subagent-5", "1 file, checks passed"],
    [200, 4, "subagent-4", "Waits for subagent-3."],
    [1_500, 1, "subagent-1", undefined],
  ])("at second %d of lane %d is what happened there", (seconds, ordinal, agent, label) => {
    const { lane, item } = hit(seconds, ordinal);
    expect([lane?.agent, item?.label]).toEqual([agent, label]);
  });

  test("rows move with the scroll, the lead's does not", () => {
    expect([hit(900, 6, 57).lane?.agent, hit(10, 0, 57).lane?.agent]).toEqual(["subagent-6", "lead"]);
  });

  test("on the axis and below the last lane there is no lane, but a moment", () => {
    const [axis, below] = [5, 999].map((y) => hitTest(lanes, scale, rows, 500, y));
    expect([axis?.lane, below?.lane, axis?.at === below?.at]).toEqual([null, null, true]);
  });
});
