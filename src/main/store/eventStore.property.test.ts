import { mkdirSync } from "node:fs";

import fc from "fast-check";
import { expect, test } from "vitest";

import type { SubagentId } from "../../shared/contract/ids.ts";
import type { AppendRequest, NewEvent } from "../engine/ports/store.ts";
import { registerBoot } from "./boots.ts";
import { checkStore } from "./check.ts";
import { createEventStore } from "./eventStore.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { makeFolder } from "./fixtureChild.ts";
import { createJournal } from "./journal.ts";
import { openWriter } from "./openDatabase.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";

/** One request: which root, whether it also starts a child, which streams get an event (0 = the root), whether its fence is stale. */
const step = fc.record({
  root: fc.integer({ min: 0, max: 2 }),
  startsChild: fc.boolean(),
  streams: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 5 }),
  isStale: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the store must hold, kept in the simplest way. */
class Model {
  readonly heads = new Map<string, number>();
  readonly children = new Map<number, string[]>();
  readonly order = new Map<number, string[]>();

  isStarted(root: number): boolean {
    return this.heads.has(`r${root}`);
  }

  streamsOf(root: number): string[] {
    return [`r${root}`, ...(this.children.get(root) ?? [])];
  }

  record(root: number, events: readonly NewEvent[]): void {
    for (const { run } of events) this.heads.set(run, (this.heads.get(run) ?? 0) + 1);
    this.order.set(root, [...(this.order.get(root) ?? []), ...events.map((event) => event.run)]);
  }
}

function build(
  boot: AppendRequest["boot"],
  model: Model,
  { root, startsChild, streams, isStale }: Step,
): AppendRequest {
  const lead = runId(`r${root}`);
  if (!model.isStarted(root)) return start({ boot }, lead);
  const known = model.streamsOf(root);
  const written = streams.map((index) => runId(known[index % known.length] ?? lead));
  const agent: SubagentId = `subagent-${known.length}`;
  const child = runId(`${lead}c${known.length}`);
  const begun = startsChild ? [handoff(lead, child, agent), note(child, "first", { agent })] : [];
  const fences = known.map((run) => fence(runId(run), (model.heads.get(run) ?? 0) + (isStale ? 1 : 0)));
  return request({ boot }, lead, [...written.map((run) => note(run, "x")), ...begun], {
    fences,
    starts: startsChild ? [{ run: child, agent }] : [],
  });
}

test("whatever is appended, seq and n are contiguous, heads match, and the chain verifies", () => {
  const folder = makeFolder();
  let round = 0;
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), (groups) => {
      round += 1;
      const place = `${folder}/${round}`;
      const model = new Model();
      const { stored, verdicts, journals } = replay(place, groups, model);
      expect(stored.every(([isStale, ok]) => ok === !isStale)).toBe(true);
      expect(verdicts).toEqual([]);
      expect(journals).toEqual(
        [0, 1, 2].map((root) => (model.order.get(root) ?? []).map((run, index) => `${index + 1} ${run}`)),
      );
    }),
    { numRuns: 25 },
  );
});

function replay(folder: string, groups: readonly (readonly Step[])[], model: Model) {
  mkdirSync(folder);
  const db = openWriter(folder);
  try {
    const boot = registerBoot(db, identifyThisProcess());
    const events = createEventStore(db, boot, createPayloads(db, folder));
    const stored: (readonly [isStale: boolean, ok: boolean])[] = [];
    for (const group of groups) {
      const asked = group.map((each) => {
        const isStale = each.isStale && model.isStarted(each.root);
        const built = build(boot, model, each);
        if (!isStale) model.record(each.root, built.events);
        if (!isStale && built.starts[0] && built.starts[0].run !== built.root)
          model.children.set(each.root, [...(model.children.get(each.root) ?? []), built.starts[0].run]);
        return { isStale, built };
      });
      const results = events.commitGroup(asked.map((each) => each.built));
      for (const [index, result] of results.entries()) stored.push([asked[index]?.isStale ?? false, result.ok]);
    }
    const read = createJournal(db, folder);
    const journals = [0, 1, 2].map((root) => read(runId(`r${root}`)).map((event) => `${event.n} ${event.run}`));
    return { stored, journals, verdicts: checkStore({ folder }).filter((check) => !check.ok) };
  } finally {
    db.close();
  }
}
