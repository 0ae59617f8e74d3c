// Random runs: whatever is asked of a run, in whatever order, these hold at every prefix of its journal.

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chooseCommand } from "../../../test/support/randomCommands.ts";
import { pickFrom } from "../../../test/support/pick.ts";
import {
  brokenBudget,
  brokenMoves,
  brokenPlaces,
  brokenReconciliation,
  brokenReviews,
  brokenSettlement,
  brokenShape,
  brokenStandstill,
  brokenStart,
  brokenStop,
  unowned,
} from "../../../test/support/runInvariants.ts";
import { driveToStop } from "../../../test/support/runSimulator.ts";
import { roles, Story, type StoryOptions } from "../../../test/support/runStory.ts";
import { subagentId } from "../../shared/contract/ids.ts";
import type { Policy } from "../../shared/contract/policy.ts";
import type { Topology } from "../../shared/contract/topology.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { RunEvent } from "./events.ts";
import { evolve, fold } from "./evolve.ts";
import { figuresOf } from "./policy/template.ts";
import { builtInTemplates } from "./policy/templates.ts";
import { applyRows, rowChangesOf, tablesOf } from "./projections/tables.ts";
import { snapshotOf, waitingOf } from "./projections/snapshot.ts";
import type { RunState } from "./state.ts";
import { sampleOf } from "../../../test/support/thorough.ts";

const story = fc.record({
  options: fc
    .record({
      worktrees: fc.constantFrom("on", "off"),
      approve: fc.constantFrom("each", "auto", "none", "final"),
      policy: fc.constantFrom<Policy>(
        { kind: "llm" },
        { kind: "rules", preset: "default" },
        { kind: "rules", preset: "parallel-unless-blocked" },
      ),
      topology: fc.constantFrom<Topology>("supervisor", "supervisor", "coordinator", "dispatch", "groups"),
    })
    .chain((options) => fc.constantFrom(options, options, options, { ...options, approvePlan: true as const })),
  template: fc.option(
    fc.constantFrom(...builtInTemplates.map((template) => ({ ...template, ...figuresOf(template, roles) }))),
    { nil: undefined, freq: 4 },
  ),
  limits: fc.record({
    maxConcurrent: fc.integer({ min: 1, max: 3 }),
    maxExecutors: fc.integer({ min: 1, max: 2 }),
    maxChain: fc.integer({ min: 1, max: 3 }),
    maxSubagents: fc.integer({ min: 2, max: 7 }),
    leadSteps: fc.integer({ min: 2, max: 20 }),
  }),
  budget: fc.record({
    steps: fc.option(fc.integer({ min: 4, max: 60 })),
    toolCalls: fc.option(fc.integer({ min: 0, max: 40 })),
    inputTokens: fc.option(fc.integer({ min: 0, max: 900 })),
  }),
});
const walk = fc.record({
  story,
  numbers: fc.noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 100, maxLength: 800, size: "max" })),
});
interface Walk {
  readonly story: StoryOptions;
  readonly numbers: readonly number[];
}

/** Applies commands until the numbers are used up; `look` sees each transaction. */
function take(
  { story: options, numbers }: Walk,
  look: (told: Story, before: RunState, events: readonly RunEvent[]) => void = () => undefined,
): Story {
  const told = new Story(options);
  const pick = pickFrom(numbers);
  for (let step = 0; step < numbers.length / 4; step++) {
    const before = told.state;
    const outcome = told.apply(chooseCommand(before, pick));
    look(told, before, "rejection" in outcome ? [] : outcome);
  }
  return told;
}

type EventFact = (before: RunState, event: RunEvent, after: RunState) => readonly string[];
type TransactionFact = (told: Story, before: RunState, events: readonly RunEvent[]) => readonly string[];

/** What holds at every prefix of a run: the fact, and what finds it broken. */
const eventFacts: Readonly<Record<string, EventFact>> = {
  "each event moves at most one status, and only as a lifecycle allows": brokenMoves,
  "the graph is acyclic and its chains are bounded": (_before, event, after) =>
    event.type === "handoff.recorded" ? brokenShape(after) : [],
  "slots are bounded and held claims never overlap": (_before, _event, after) => brokenPlaces(after),
  "no balance is overdrawn and nothing negative is reserved": (_before, _event, after) => brokenBudget(after),
  "a node settles once, after its end": brokenSettlement,
  "a node starts only once its dependencies are met": brokenStart,
  "it is called blocked only when it owes nothing but the lead's turn": brokenStandstill,
  "it stops only once no landing and no call is under way": brokenStop,
  "nothing is done, and nothing the final answer, over opposite verdicts": brokenReconciliation,
  "a refused spawn leaves nodes and slices as they were": (before, event, after) =>
    event.type === "handoff.refused" && (after.nodes !== before.nodes || after.budget !== before.budget)
      ? [event.data.code]
      : [],
};

/** What holds after every transaction of it. */
const transactionFacts: Readonly<Record<string, TransactionFact>> = {
  "whatever has not ended has an owner": ({ state }) => unowned(state),
  "each open question about a change set has its open change set, and each landing its record": ({ state }) =>
    brokenReviews(state),
  "a stopped run has settled every node and asks nobody anything": ({ state }) => {
    // After a stop its branch may still be put to a review.
    const asked = waitingOf(state).filter(({ kind, agent }) => kind !== "changeset" || agent !== "lead");
    const isAtRest = asked.length === 0 && state.nodes.every((node) => node.isSettled);
    return state.status !== "stopped" || isAtRest ? [] : [`event ${state.n}`];
  },
  "after a stop it only lands, takes back, decides about its branch, is given another title and follows its repository":
    (_told, before, events) => {
      const allowed = ["approval.", "changeset.", "landing.", "run.renamed", "repository.", "command.answered"];
      const isReopened = events.some((event) => event.type === "input.received");
      if (before.status !== "stopped" || isReopened) return [];
      return events.map(({ type }) => type).filter((type) => !allowed.some((start) => type.startsWith(start)));
    },
};

/** Applies commands until the numbers are used up, and collects by fact what they broke. */
function takeWatched(asked: Walk): { readonly told: Story; readonly broken: Readonly<Record<string, string[]>> } {
  const broken: Record<string, string[]> = {};
  const note = (fact: string, found: readonly string[]) => {
    if (found.length > 0) (broken[fact] ??= []).push(...found);
  };
  const told = take(asked, (story, before, events) => {
    let state = before;
    for (const event of events) {
      const after = evolve(state, event);
      for (const [fact, find] of Object.entries(eventFacts)) note(fact, find(state, event, after));
      state = after;
    }
    for (const [fact, find] of Object.entries(transactionFacts)) note(fact, find(story, before, events));
  });
  return { told, broken };
}

/** A property of every random run: checked on `sampled` of them by the gate, on eight times as many when everything is asked for. */
function everyRun(sampled: number, check: (asked: Walk) => void): void {
  // The limit is for the search for a smaller counterexample, which may take minutes.
  fc.assert(fc.property(walk, check), { numRuns: sampleOf(8 * sampled, sampled), interruptAfterTimeLimit: 45_000 });
}

describe("a random run", () => {
  test("breaks no fact at any of its prefixes and after none of its transactions, and from wherever it stands comes to its stop", () => {
    // One walk for all of them: what takes time is the walk.
    everyRun(200, (asked) => {
      const { told, broken } = takeWatched(asked);
      expect(broken).toEqual({});
      expect(driveToStop(told).status).toBe("stopped");
    });
  });

  test("adds nothing when a command is repeated", () => {
    everyRun(100, (asked) => {
      const told = new Story(asked.story);
      const pick = pickFrom(asked.numbers);
      const added: string[] = [];
      for (let step = 0; step < asked.numbers.length / 4; step++) {
        const command = chooseCommand(told.state, pick);
        const first = told.apply(command);
        if (!("commandId" in command) || "rejection" in first) continue;
        const again = told.apply(command);
        if ("rejection" in again || again.length > 0) added.push(command.type);
      }
      expect(added).toEqual([]);
    });
  });
});

describe("the journal of a random run", () => {
  test("[G22] folds to the state that the decisions saw, whole or from any ordinal on, and leads to the rows that this says", () => {
    everyRun(100, (asked) => {
      const { events, state } = take(asked);
      const cut = (asked.numbers[0] ?? 0) % events.length;
      expect([fold(events), fold(events.slice(cut), fold(events.slice(0, cut)))]).toEqual([state, state]);
      expect(sorted(applyRows(rowChangesOf(events)))).toEqual(sorted(tablesOf(events)));
    });
  });

  test("has rows that do not depend on where the store puts its events", () => {
    everyRun(50, (asked) => {
      const { events } = take(asked);
      const moved = events.map((event) => ({ ...event, n: event.n + 7, pos: event.pos + 1_000, hash: "f00" }));
      expect(rowChangesOf(moved)).toEqual(rowChangesOf(events));
    });
  });

  test("numbers the events of each stream without gaps, and gives each subagent the next number and a stream of its own", () => {
    everyRun(50, (asked) => {
      const told = take(asked);
      const streams = Map.groupBy(told.events, (event) => event.run);
      const numbers = [...streams.values()].map((stream) => stream.map((event) => event.seq));
      expect(numbers).toEqual(numbers.map((stream) => stream.map((_, index) => index + 1)));
      expect(told.state.nodes.map(({ id, childRun }) => [id, childRun])).toEqual(
        told.state.nodes.map((_, index) => [subagentId(index + 1), `r1-${index + 1}`]),
      );
    });
  });

  test("shows as snapshots that are frozen, never go back and share what did not change", () => {
    everyRun(50, (asked) => {
      const found: string[] = [];
      let shown = snapshotOf(new Story(asked.story).state);
      take(asked, ({ state }, before) => {
        const next = snapshotOf(state, shown);
        if (next.at < shown.at || !Object.isFrozen(next) || !Object.isFrozen(next.subagents))
          found.push(`${next.at} after ${shown.at}`);
        if (state === before && next !== shown) found.push(`${next.at} is new without a change`);
        shown = next;
      });
      expect(found).toEqual([]);
    });
  });
});

/** The rows of each table as text, in one order whatever the order they came in. */
function sorted(tables: ReturnType<typeof tablesOf>): unknown {
  const texts = [...tables].map(([table, rows]) => [table, rows.map((row) => canonicalJson(row)).toSorted()] as const);
  return new Map(texts);
}
