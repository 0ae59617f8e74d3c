// Forks of random runs, from every moment that a run has.

import fc from "fast-check";
import { expect, test } from "vitest";

import { chooseCommand } from "../../../test/support/randomCommands.ts";
import { pickFrom } from "../../../test/support/pick.ts";
import { brokenBudget, brokenMoves, brokenReviews, unowned } from "../../../test/support/runInvariants.ts";
import { driveToStop } from "../../../test/support/runSimulator.ts";
import { oid, Story, unlimited } from "../../../test/support/runStory.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import type { Balances } from "../../shared/contract/options.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import { dutiesOf } from "./duties.ts";
import type { RunEvent } from "./events.ts";
import { evolve, fold } from "./evolve.ts";
import { forkJournal, unfinishedAt } from "./fork.ts";
import { isTerminal } from "./lifecycle.ts";
import { applyRows, rowChangesOf, tablesOf } from "./projections/tables.ts";
import type { RunState } from "./state.ts";

const moment = fc.record({
  approve: fc.constantFrom("each" as const, "auto" as const, "final" as const),
  numbers: fc.noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 100, maxLength: 600, size: "max" })),
  /** Moments, each as a share of the journal's length. */
  shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
});

interface Forked {
  readonly history: readonly RunEvent[];
  readonly before: RunState;
  readonly events: readonly RunEvent[];
  readonly after: RunState;
}

const run = "fork" as RunId;

/** Checks a property of the fork of a random run at a random moment. */
function everyFork(numRuns: number, check: (forked: Forked) => void): void {
  fc.assert(
    fc.property(moment, ({ approve, numbers, shares }) => {
      const told = new Story({ options: { approve }, budget: { steps: 60 }, wallMs: 60_000 });
      const pick = pickFrom(numbers);
      for (let step = 0; step < numbers.length / 4; step++) told.apply(chooseCommand(told.state, pick));
      for (const share of shares) {
        const history = told.events.slice(0, Math.max(1, Math.round(told.events.length * share)));
        const before = fold(history);
        if (!before) throw new Error("a story begins with run.created");
        const target = { branch: "coppice/pay-fork", ref: "refs/heads/coppice/pay-fork" };
        const events = forkJournal(history, { run, base: before.line, target, now: 9_000_000 });
        const after = fold(events);
        if (!after) throw new Error("a fork has events");
        check({ history, before, events, after });
      }
    }),
    { numRuns, interruptAfterTimeLimit: 15_000 },
  );
}

test("a fork tells the same history under its own name, event for event", () => {
  everyFork(60, ({ history, events }) => {
    const copies = events.slice(0, history.length);
    expect(copies.map(({ n, type, agent, at, seq }) => ({ n, type, agent, at, seq }))).toEqual(
      history.map(({ n, type, agent, at, seq }) => ({ n, type, agent, at, seq })),
    );
    const foreign = events.flatMap((event) => JSON.stringify(event).match(/"r1-[al]?\d+"|coppice\/r1\/|\/r1-e/g) ?? []);
    expect(foreign).toEqual([]);
    expect(events.filter((event) => event.command !== undefined)).toEqual([]);
  });
});

test("nothing of a fork is under way: it is paused, and owes no more than to settle what it ended", () => {
  everyFork(60, ({ before, after }) => {
    expect({
      status: after.status,
      origin: after.origin?.at,
      requests: [after.lead, ...after.nodes].filter((agent) => agent.request !== null),
      calls: [after.lead, ...after.nodes]
        .flatMap((agent) => agent.calls)
        .filter((call) => call.status === "dispatched"),
      alive: after.nodes.filter((node) => !isTerminal(node.status)),
      open: after.approvals.filter((approval) => approval.status === "open"),
      unheard: after.lead.calls.filter(
        ({ id, status }) =>
          status === "open" && after.nodes.some(({ key }) => key.endsWith(`-t${after.lead.requestCount}:${id}`)),
      ),
      landings: after.landings.filter((landing) => landing.status === "begun"),
      duties: dutiesOf(after).filter((duty) => duty.kind !== "settle"),
      unowned: unowned(after),
      reviews: brokenReviews(after),
      leave: after.approvals.filter((approval) => approval.scope === "run"),
    }).toEqual({
      status: "paused",
      origin: before.n,
      requests: [],
      calls: [],
      alive: [],
      open: [],
      unheard: [],
      landings: [],
      duties: [],
      unowned: [],
      reviews: [],
      leave: [],
    });
  });
});

test("a fork has a whole budget, and ends only what had not ended", () => {
  everyFork(60, ({ history, before, after }) => {
    const given = history.flatMap((event) => (event.type === "options.set" ? [event.data] : []));
    const limit = Object.assign({ ...unlimited, steps: 60 }, ...given.map(({ budget }) => budget)) as Balances;
    const wallMs = given.findLast((one) => one.wallMs !== undefined)?.wallMs;
    expect(after.budget).toEqual({
      limit,
      used: { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 },
      reserved: { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 },
    });
    expect(after.deadlineAt).toBe(wallMs === null ? null : 9_000_000 + (wallMs ?? 60_000));
    expect(after.line).toBe(before.line);
    const cancelled = after.nodes.filter((node) => node.code === "FORKED").map((node) => node.id);
    const forkedBefore = before.nodes.filter((node) => node.code === "FORKED").map((node) => node.id);
    expect(cancelled).toEqual([...forkedBefore, ...unfinishedAt(before)]);
  });
});

test("a fork's events move as the lifecycles allow, and its rows follow from them", () => {
  everyFork(60, ({ events }) => {
    const found: string[] = [];
    let state: RunState | null = null;
    for (const event of events) {
      const after: RunState = evolve(state, event);
      if (state) found.push(...brokenMoves(state, event, after), ...brokenBudget(after));
      state = after;
    }
    expect(found).toEqual([]);
    const sorted = (tables: ReturnType<typeof tablesOf>) =>
      new Map([...tables].map(([name, rows]) => [name, new Set(rows.map((row) => canonicalJson(row)))]));
    expect(sorted(applyRows(rowChangesOf(events)))).toEqual(sorted(tablesOf(events)));
  });
});

test("a fork that goes on reaches its stop", () => {
  everyFork(30, ({ events }) => {
    const told = Story.from(events, 9_001_000);
    told.must({ type: "run.recover", epoch: 2 });
    driveToStop(told);
    expect(told.state.status).toBe("stopped");
    expect(told.state.base.commit).not.toBe(oid(0));
  });
});
