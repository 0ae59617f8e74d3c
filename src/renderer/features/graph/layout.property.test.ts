// A place once given never changes, and no two cards ever overlap, whatever a lead spawns.

import fc from "fast-check";
import { expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { storyAt, subagentFixture } from "./fixtures.ts";
import { boxOf, measureFor } from "./geometry.ts";
import { layoutGraph } from "./layout.ts";
import type { GraphLayout } from "./layout.ts";

/** Runs of up to 90 subagents: pauses between creations, dependencies on earlier ones, ends, replacements. */
const runs: fc.Arbitrary<readonly SubagentSnapshot[]> = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 40 }),
      lasts: fc.option(fc.integer({ min: 0, max: 120 })),
      hasStarted: fc.boolean(),
      dependsOn: fc.array(fc.nat(), { maxLength: 3 }),
      replaces: fc.option(fc.nat(), { freq: 5 }),
    }),
    { maxLength: 90 },
  )
  .map((nodes) => {
    let seconds = 0;
    return nodes.map(({ pause, lasts, hasStarted, dependsOn, replaces }, index) => {
      seconds += pause;
      const earlier = (pick: number) => subagentId((pick % index) + 1);
      return subagentFixture(index + 1, {
        createdAt: storyAt(seconds),
        startedAt: hasStarted ? storyAt(seconds) : null,
        endedAt: lasts === null ? null : storyAt(seconds + lasts),
        dependsOn:
          index === 0 ? [] : [...new Set(dependsOn.map(earlier))].map((id) => ({ id, until: "completed" as const })),
        ...(index > 0 && replaces !== null ? { replaces: earlier(replaces) } : {}),
      });
    });
  });

/** The run as it looked when its newest subagent was created. */
function atCreationOf(subagents: readonly SubagentSnapshot[], count: number): readonly SubagentSnapshot[] {
  const shown = subagents.slice(0, count);
  const now = shown.at(-1)?.createdAt ?? 0;
  return shown.map((subagent) => ({
    ...subagent,
    endedAt: (subagent.endedAt ?? Infinity) <= now ? subagent.endedAt : null,
  }));
}

test("nodes that are there never move when new ones come", () => {
  fc.assert(
    fc.property(runs, (subagents) => {
      let kept: GraphLayout | undefined;
      for (let count = 1; count <= subagents.length; count += 1) {
        const next = layoutGraph(atCreationOf(subagents, count), kept);
        expect([...next.places].slice(0, count - 1)).toEqual([...(kept?.places ?? [])]);
        kept = next;
      }
    }),
    { numRuns: 100 },
  );
});

test("a run that is opened late looks like one that was watched from its beginning", () => {
  fc.assert(
    fc.property(runs, (subagents) => {
      let watched: GraphLayout | undefined;
      for (let count = 1; count <= subagents.length; count += 1)
        watched = layoutGraph(atCreationOf(subagents, count), watched);
      expect(layoutGraph(subagents)).toEqual(watched ?? layoutGraph([]));
    }),
    { numRuns: 100 },
  );
});

test("no two cards overlap, in any room", () => {
  const room = fc.record({ width: fc.integer({ min: 200, max: 2_600 }), height: fc.integer({ min: 100, max: 1_600 }) });
  fc.assert(
    fc.property(runs, room, (subagents, size) => {
      const geometry = measureFor(size);
      const boxes = [...layoutGraph(subagents).places.values()].map((place) => boxOf(place, geometry));
      const overlapping = boxes.filter((a, index) =>
        boxes.some(
          (b, other) =>
            other < index && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
        ),
      );
      expect(overlapping).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("a dependency always stands to the left", () => {
  fc.assert(
    fc.property(runs, (subagents) => {
      const { places } = layoutGraph(subagents);
      const column = (id: SubagentSnapshot["id"]) => places.get(id)?.column ?? -1;
      const reversed = subagents.flatMap(({ id, dependsOn }) =>
        dependsOn.filter((dependency) => column(dependency.id) >= column(id)),
      );
      expect(reversed).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
