// The lead's questions to a person: the run waits, whoever answers, once.

import { afterEach, describe, expect, test } from "vitest";

import type { ApprovalId } from "../../src/shared/contract/ids.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { answersTo, committed, gate, leavings } from "../support/storyProbes.ts";
import {
  call,
  calls,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const question = { question: "Which rounding do we use?", choices: ["half even", "half up"] };
const entries: readonly ScriptedEntry[] = [
  { match: /^Begin/, turns: [call("askPerson", question), (body) => say(`Then ${toolAnswers(body)}.`)] },
];
const attended = { options: { approve: "each" } } as const;

describe("a question of the lead", { timeout: 60_000 }, () => {
  test("makes the run wait; another process answers it, and the call is answered with those words", async () => {
    const story = await openStory(entries);
    const first = await story.run("Begin", attended);
    expect(first.state()).toMatchObject({ status: "waiting", waitingFor: "1 decision of yours" });
    const other = await story.reopen();
    const [asked] = await other.listApprovals(first.run);
    expect(asked).toMatchObject({ kind: "question", agent: "lead", summary: "Which rounding do we use?" });
    const id = asked?.id ?? ("" as ApprovalId);
    const run = await story.takeOver(first.run);
    const answer = (decision: "answered" | "approved", comment?: string) =>
      run.dispatch({
        type: "approval.decide",
        approval: id,
        decision,
        by: "Ada",
        ...(comment === undefined ? {} : { comment }),
      });
    expect(await answer("approved")).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
    expect(await answer("answered", "half even")).toMatchObject({ ok: true });
    // The same again is the same receipt; another answer comes too late.
    const { n } = run.state();
    expect(await answer("answered", "half even")).toMatchObject({ ok: true, value: { events: [] } });
    expect(await answer("answered", "half up")).toMatchObject({ ok: false, error: { code: "ALREADY_DECIDED" } });
    expect(run.state().n).toBe(n);
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(answersTo(run, "lead", "askPerson")).toEqual([{ answer: "half even" }]);
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: 'Then {"answer":"half even"}.' });
    expect(run.state().budget.used.toolCalls).toBe(1);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("is answered through the process that drives the run, while its children work on", async () => {
    const working = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [calls(spawn("LOOKS"), { name: "askPerson", args: question }), wait(["subagent-1"]), say("Done.")],
      },
      { match: /^LOOKS/, turns: [{ ...submit("looked"), gate: working.passed }] },
    ]);
    const run = await story.begin("Begin", attended);
    const driving = run.drive(true);
    const { data } = await committed(run, "approval.requested");
    expect(run.state().status).toBe("running");
    const other = await story.reopen();
    const asked = other.askHolder(run.run, {
      type: "approval.decide",
      approval: data.approval,
      decision: "answered",
      comment: "half up",
      by: "Grace",
    });
    expect(await asked).toEqual({ done: true });
    working.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(answersTo(run, "lead", "askPerson")).toEqual([{ answer: "half up" }]);
    expect(eventsOf(run, "approval.decided").map((event) => event.data.by)).toEqual(["Grace"]);
  });

  test("is refused as NOBODY_TO_ASK under auto without a terminal, and asked where there is one", async () => {
    const story = await openStory(entries);
    const alone = await story.run("Begin");
    expect(answersTo(alone, "lead", "askPerson")).toMatchObject([{ error: { code: "NOBODY_TO_ASK" } }]);
    expect(alone.state()).toMatchObject({ status: "stopped", approvals: [] });
    const watched = await story.run("Begin", { options: { isAttended: true } });
    expect(watched.state()).toMatchObject({ status: "waiting", approvals: [{ kind: "question", status: "open" }] });
  });

  test("is withdrawn when the run is cancelled", async () => {
    const story = await openStory(entries);
    const first = await story.run("Begin", attended);
    const run = await story.takeOver(first.run);
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().approvals).toMatchObject([{ status: "withdrawn" }]);
    expect(await story.workbench.listApprovals(run.run)).toEqual([]);
    const late = await run.dispatch({
      type: "approval.decide",
      approval: run.state().approvals[0]?.id ?? ("" as never),
      decision: "answered",
      comment: "half up",
      by: "Ada",
    });
    expect(late).toMatchObject({ ok: false, error: { code: "ALREADY_DECIDED" } });
    expect(story.server.requests).toHaveLength(1);
  });
});
