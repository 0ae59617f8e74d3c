import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { numberingFaults, ofType, oneChange } from "../support/commandStories.ts";

beforeAll(buildCommandLine, buildLimitMs);

/** The moments at which the process dies: as soon as the event is printed, whatever it has begun since. The crash rig has the others. */
const moments = ["run.created", "tool.dispatched", "changeset.landing"] as const;

describe("a run that is killed", () => {
  test.concurrent.for(moments)(
    "[F11] at its first %s goes on to its end: nothing is lost, nothing is done twice, nothing is left",
    { timeout: 90_000 },
    async (moment, { expect }) => {
      await using desk = await openDesk(oneChange);
      const running = desk.start(desk.runArgs("Change it.", "--verify", "grep -q zwei a.txt"), {
        onEvent: (event, child) => void (event.type === moment && child.kill("SIGKILL")),
      });
      const killed = await running.ended;
      const printed = wholeLines(killed.stdout);
      const run = printed[0]?.root ?? "";
      expect([killed.signal, printed.map((event) => event.type)]).toEqual([
        "SIGKILL",
        expect.arrayContaining([moment]),
      ]);

      const resumed = await desk.coppice(["resume", run, "--json"]);
      expect({
        code: resumed.code,
        stderr: resumed.stderr,
        reason: resumed.summary().stopReason,
        landed: resumed.summary().landed.length,
      }).toEqual({ code: 0, stderr: "", reason: "final_answer", landed: 1 });
      expect(desk.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
      expect(desk.repository.git("rev-list", "--count", "main..landed")).toBe("1");

      const log = await desk.journal(run);
      expect(log.slice(0, printed.length)).toEqual(printed);
      expect(log.slice(-resumed.events().length)).toEqual(resumed.events());
      expect(numberingFaults(log)).toEqual([]);
      expect(ofType(log, "changeset.landed")).toHaveLength(1);
      expect(ofType(log, "subagent.settled").map((event) => event.data["subagent"])).toEqual(["subagent-1"]);
      for (const type of ["tool.dispatched", "tool.settled", "approval.decided", "run.stopped"])
        expect(repeated(ofType(log, type))).toEqual([]);

      expect(
        await desk.leavings(
          run,
          "refs/heads/landed",
          `refs/coppice/${run}/subagent-1/1`,
          `refs/coppice/${run}/subagent-1/2`,
          `refs/coppice/${run}/subagent-1/pin`,
        ),
      ).toEqual([]);
      expect(await desk.faults()).toEqual([]);
    },
  );
});

/** The events of an output whose last line may have been cut. */
function wholeLines(stdout: string): readonly PrintedEvent[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PrintedEvent)
    .filter((event) => event.n !== undefined);
}

/** Calls (or approvals) that are named by more than one of these events. */
function repeated(events: readonly PrintedEvent[]): readonly string[] {
  const names = events.map(
    (event) => `${event.run} ${JSON.stringify(event.data["call"] ?? event.data["approval"] ?? event.type)}`,
  );
  return names.filter((name, index) => names.indexOf(name) !== index);
}
