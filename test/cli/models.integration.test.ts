import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import { ofType, oneChange } from "../support/commandStories.ts";
import { say } from "../support/workbenchStory.ts";
import type { ScriptedTurn } from "../support/scriptedModel.ts";

beforeAll(buildCommandLine, buildLimitMs);

const refusal = (status: number, message: string): ScriptedTurn => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

const troubles: Readonly<
  Record<string, { readonly turn: ScriptedTurn; readonly args?: readonly string[]; readonly says: RegExp }>
> = {
  "refuses the key": { turn: refusal(401, "Incorrect API key provided."), says: /Incorrect API key/ },
  "does not know the model": {
    turn: refusal(404, "The model `scripted` does not exist."),
    says: /`scripted` does not exist/,
  },
  "answers with a page": {
    turn: { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><title>Sign in</title>" },
    says: /HTML|page|text\/html/i,
  },
  "answers no question at all": { turn: {}, says: /neither text nor a call/ },
  "is not there": { turn: {}, args: ["--base-url", "http://127.0.0.1:1/v1"], says: /127\.0\.0\.1:1/ },
};

describe("a model server that", () => {
  test.concurrent.for(Object.entries(troubles))(
    "%s ends the run with exit 1 and the reason, and leaves nothing",
    { timeout: 60_000 },
    async ([, { turn, args = [], says }], { expect }) => {
      await using desk = await openDesk([{ match: /./, turns: [turn] }]);
      const ended = await desk.coppice([...desk.runArgs("Change it."), ...args]);
      const summary = ended.summary();
      expect({
        code: ended.code,
        stopReason: summary.stopReason,
        status: summary.status,
        partial: summary.partial,
        landed: summary.landed,
      }).toEqual({ code: 1, stopReason: "failed", status: "stopped", partial: true, landed: [] });
      expect(ended.stderr).toMatch(new RegExp(`^[A-Z_]+: .*(?:${says.source}).*\n$`, says.flags));
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(await desk.leavings(summary.run)).toEqual([]);
      expect(await desk.faults()).toEqual([]);
    },
  );

  test.concurrent(
    "asks for a key that is not there gets none, and the run never begins",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk([]);
      const ended = await desk.coppice(
        [...desk.runArgs("Change it."), "--base-url", "https://models.example.invalid/v1"],
        { env: { OPENAI_API_KEY: " " } },
      );
      expect({ code: ended.code, lines: ended.lines() }).toEqual({
        code: 2,
        lines: [{ error: { code: "NO_MODEL", message: expect.stringContaining("OPENAI_API_KEY") } }],
      });
      expect(desk.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    },
  );

  test.concurrent("needs no key on this machine is asked without one", { timeout: 60_000 }, async ({ expect }) => {
    await using desk = await openDesk([{ match: /./, turns: [say("Done.")] }]);
    const ended = await desk.coppice(desk.runArgs("Look."), { env: { OPENAI_API_KEY: undefined } });
    expect(ended.code).toBe(0);
    expect(desk.server.requests.map((request) => request.headers.authorization)).not.toContainEqual(
      expect.stringContaining("test-key"),
    );
  });

  test.concurrent("fails twice and then answers is asked again", { timeout: 60_000 }, async ({ expect }) => {
    let asked = 0;
    await using desk = await openDesk([
      {
        match: /./,
        turns: [() => (++asked <= 2 ? { status: 500, headers: { "retry-after": "0" } } : say("At last."))],
      },
    ]);
    const ended = await desk.coppice(desk.runArgs("Look."));
    const events = ended.events();
    expect({ code: ended.code, answer: ended.summary().answer, asked }).toEqual({
      code: 0,
      answer: "At last.",
      asked: 3,
    });
    expect(ofType(events, "model.retried").map((event) => event.data["attempt"])).toEqual([1, 2]);
    expect(events.filter((event) => event.type.startsWith("model.")).map((event) => event.type)).toEqual([
      "model.requested",
      "model.failed",
      "model.retried",
      "model.requested",
      "model.failed",
      "model.retried",
      "model.requested",
      "model.completed",
    ]);
  });

  test.concurrent(
    "names a long wait: the retry stands in the journal before the wait",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk([{ match: /./, turns: [{ status: 503, headers: { "retry-after": "1000" } }] }]);
      const running = desk.start(desk.runArgs("Look."));
      const retried = await running.printed("model.retried");
      running.signal("SIGKILL");
      expect((await running.ended).signal).toBe("SIGKILL");
      expect(desk.server.requests).toHaveLength(1);
      const log = await desk.journal(retried.run);
      expect(log.at(-1)).toEqual(retried);
      expect(retried.data).toMatchObject({ attempt: 1, waitMs: 1_000_000 });
    },
  );

  test.concurrent(
    "costs a subagent its request ends the subagent, not the run",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk([
        ...oneChange.filter(({ match }) => !match.test("EDIT")),
        { match: /^EDIT/, turns: [refusal(400, "No such thing.")] },
      ]);
      const ended = await desk.coppice(desk.runArgs("Change it."));
      expect({ code: ended.code, subagents: ended.summary().subagents }).toMatchObject({
        code: 0,
        subagents: [{ id: "subagent-1", status: "failed" }],
      });
      const { run } = ended.summary();
      expect(await desk.leavings(run, `refs/coppice/${run}/subagent-1/pin`)).toEqual([]);
    },
  );

  test.concurrent("echoes the key does not get it into any output", { timeout: 60_000 }, async ({ expect }) => {
    const key = "sk-live-0123456789abcdefghij";
    await using desk = await openDesk([{ match: /./, turns: [refusal(401, `Incorrect API key provided: ${key}.`)] }]);
    const ended = await desk.coppice(desk.runArgs("Look."), { env: { OPENAI_API_KEY: key } });
    const log = await desk.coppice(["log", ended.summary().run, "--json"]);
    expect(desk.server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect([ended.code, `${ended.stdout}${ended.stderr}${log.stdout}`.includes(key)]).toEqual([1, false]);
  });
});
