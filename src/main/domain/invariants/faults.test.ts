// Each invariant of a run's journal has a violation planted, which turns it and nothing else; random runs have none.

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chooseCommand } from "../../../../test/support/randomCommands.ts";
import { pickFrom } from "../../../../test/support/pick.ts";
import { oid, roles, Story } from "../../../../test/support/runStory.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import type { DraftEvent, EventData, EventType, RunEvent } from "../events.ts";
import { fold } from "../evolve.ts";
import { forkJournal } from "../fork.ts";
import { figuresOf } from "../policy/template.ts";
import { findFaults } from "./faults.ts";

/** An explorer that read a file, and an executor whose change has landed; stopped. */
function soundRun(): readonly RunEvent[] {
  const story = new Story({ budget: { steps: 60 } }).start();
  const reader = story.spawn();
  story.turn(reader, { calls: [{ id: "read-1", name: "readFile", arguments: "{}" }] });
  story.must({ type: "agent.dispatch", agent: reader, call: "read-1", effect: "read", class: "pure", input: {} });
  story.must({
    type: "agent.settle",
    agent: reader,
    call: "read-1",
    outcome: "executed",
    durationMs: 1,
    output: "",
    resultHash: "h",
  });
  story.complete(reader);
  const writer = story.spawn({ role: "executor", paths: ["pay.js"] });
  const changeset = story.review(writer);
  story.decide(writer, "approved");
  story.land(changeset);
  story.settle(writer);
  story.turn("lead", { text: "Done." });
  story.must({ type: "run.stop" });
  return story.events;
}

const sound = soundRun();

/** Two reviewers contradict each other about the line, and the plan has their step as done all the same. */
function doneInConflict(): readonly RunEvent[] {
  const story = new Story().start();
  for (const verdict of ["passed", "failed"] as const)
    story.judge(story.spawn({ role: "reviewer", step: "s1" }), [{ criterion: "spec", verdict, evidence: "" }]);
  story.control({ tool: "updatePlan", input: { steps: [{ id: "s1", title: "Look", status: "running" }] } });
  return story.events.map((event) =>
    event.type === "plan.updated"
      ? { ...event, data: { steps: [{ id: "s1", title: "Look", status: "done", evidence: ["subagent-1"] }] } }
      : event,
  );
}

/** The journal with one more event after the first of a type, numbered anew. */
function inserted(after: EventType, draft: DraftEvent): readonly RunEvent[] {
  const at = sound.findIndex((event) => event.type === after) + 1;
  const last = sound[at - 1];
  if (!last) throw new Error(`there is no ${after}`);
  const place: object = last;
  return renumbered([...sound.slice(0, at), { ...place, ...draft } as RunEvent, ...sound.slice(at)]);
}

function changed<T extends EventType>(type: T, change: (data: EventData[T]) => EventData[T]): readonly RunEvent[] {
  const at = sound.findLastIndex((event) => event.type === type);
  return sound.map((event, index) =>
    index === at ? ({ ...event, data: change(event.data as EventData[T]) } as RunEvent) : event,
  );
}

function without(type: EventType): readonly RunEvent[] {
  const at = sound.findIndex((event) => event.type === type);
  return renumbered(sound.filter((_, index) => index !== at));
}

function renumbered(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event, index) => ({ ...event, n: index + 1 }));
}

const idsOf = (events: readonly RunEvent[]) => [...new Set(findFaults(events, roles).map((fault) => fault.id))];
const copyOf = (type: EventType): DraftEvent => {
  const event = sound.findLast((one) => one.type === type);
  if (!event) throw new Error(`there is no ${type}`);
  const { agent, data } = event;
  return { agent, type, data } as DraftEvent;
};

const violations: readonly (readonly [what: string, ids: readonly string[], journal: readonly RunEvent[]])[] = [
  ["a second beginning", ["I4"], [...sound, ...renumbered([...sound, ...sound.slice(0, 1)]).slice(-1)]],
  ["work after the stop", ["I4"], inserted("run.stopped", { agent: "lead", type: "run.paused", data: {} })],
  [
    "an answer nobody asked for",
    ["I6"],
    inserted("run.started", { agent: "lead", type: "model.lost", data: { request: "lead-t9" } }),
  ],
  [
    "a decision on nothing",
    ["I6"],
    inserted("run.started", {
      agent: "lead",
      type: "approval.withdrawn",
      data: { approval: "r1-a9" as never, reason: "" },
    }),
  ],
  [
    "a second handoff",
    ["I7"],
    inserted("handoff.recorded", {
      ...copyOf("handoff.recorded"),
      data: { ...copyOf("handoff.recorded").data, subagent: "subagent-1" },
    } as DraftEvent),
  ],
  [
    "a child before its handoff",
    ["I7"],
    inserted("run.started", { agent: "subagent-9", type: "note.added", data: { kind: "x", text: "" } }),
  ],
  [
    "a second settlement",
    ["I8"],
    inserted("subagent.settled", {
      ...copyOf("subagent.settled"),
      data: { ...copyOf("subagent.settled").data, subagent: "subagent-1" },
    } as DraftEvent),
  ],
  [
    "a settlement before the end",
    ["I8"],
    inserted("subagent.started", {
      ...copyOf("subagent.settled"),
      data: { ...copyOf("subagent.settled").data, subagent: "subagent-1" },
    } as DraftEvent),
  ],
  [
    "a slice beyond the budget",
    ["I9"],
    changed("handoff.recorded", (data) => ({ ...data, slice: { ...data.slice, steps: 61 } })),
  ],
  [
    "a charge that is not what was used",
    ["I10"],
    changed("subagent.settled", (data) => ({ ...data, used: { ...data.used, steps: data.used.steps + 1 } })),
  ],
  ["a tool outside the packet", ["I11"], changed("tool.dispatched", (data) => ({ ...data, tool: "runCommand" }))],
  ["an effect above the role", ["I11"], changed("tool.dispatched", (data) => ({ ...data, effect: "execute" }))],
  [
    "a child that may delegate",
    ["I12"],
    changed("handoff.recorded", (data) => ({ ...data, packet: { ...data.packet, remainingDepth: 1 as never } })),
  ],
  [
    "a step without evidence",
    ["I13"],
    inserted("run.started", {
      agent: "lead",
      type: "plan.updated",
      data: { steps: [{ id: "s1", title: "Look", status: "done", evidence: [] }] },
    }),
  ],
  [
    "a landing in conflict",
    ["I14"],
    inserted("changeset.reviewed", {
      agent: "lead",
      type: "changeset.conflicted",
      data: { changeset: "subagent-2.1" as never, paths: ["pay.js"] },
    }),
  ],
  ["a step that is done over opposite verdicts", ["I14"], doneInConflict()],
  ["a landing as something else", ["I15"], changed("changeset.landed", (data) => ({ ...data, commit: oid(9) }))],
];

describe("the invariants of a journal", () => {
  test("hold of a sound one", () => {
    expect(findFaults(sound, roles)).toEqual([]);
  });

  test.each(violations)("%s breaks %j, named with its event", (_what, ids, journal) => {
    expect(findFaults(journal, roles).every((fault) => /^Event \d+: /.test(fault.sentence))).toBe(true);
    expect(idsOf(journal)).toEqual(expect.arrayContaining([...ids]));
  });

  test("hold of a template whose chain is longer than the limit for a lead", () => {
    const node = (id: string, ...dependsOn: readonly string[]) => ({ id, role: "explorer", task: id, dependsOn });
    const chain = { name: "chain", about: "A chain.", nodes: [node("a"), node("b", "a"), node("c", "b")] };
    const template = { ...chain, ...figuresOf(chain, roles) };
    const options = { policy: { kind: "template", name: "chain" } } as const;
    const story = new Story({ options, template, limits: { maxChain: 1 } }).start();
    expect([story.statuses().length, findFaults(story.events, roles)]).toEqual([3, []]);
  });

  test("a gap in what follows from what breaks one too, and never throws", () => {
    const missing = (["run.created", "handoff.recorded", "changeset.proposed", "model.requested"] as const).map(
      (type) => idsOf(without(type)),
    );
    expect(missing.every((ids) => ids.length > 0)).toBe(true);
  });

  test("hold of random runs and of their forks", () => {
    const numbers = fc.noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 100, maxLength: 800, size: "max" }));
    fc.assert(
      fc.property(numbers, fc.constantFrom("each" as const, "auto" as const, "final" as const), (walk, approve) => {
        const told = new Story({ options: { approve }, budget: { steps: 60 } });
        const pick = pickFrom(walk);
        for (let step = 0; step < walk.length / 4; step++) told.apply(chooseCommand(told.state, pick));
        const history = told.events.slice(0, Math.ceil(told.events.length / 2));
        const line = fold(history)?.line ?? oid(2);
        const target = { branch: "b", ref: "refs/heads/b" };
        const fork = forkJournal(history, { run: "fork" as RunId, base: line, target, now: 9_000_000 });
        expect([findFaults(told.events, roles), findFaults(fork, roles)]).toEqual([[], []]);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 15_000 },
    );
  });
});
