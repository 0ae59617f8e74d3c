// How a command ends and what is left of it, with real processes: once as this machine confines, once unconfined.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommands, type CommandOptions } from "./command.ts";
import { makeTrialPlace, uniqueSleep, type TrialPlace } from "./trialPlace.ts";

const planted = {
  OPENAI_API_KEY: "sk-planted",
  SSH_AUTH_SOCK: "/planted",
  GIT_DIR: "/planted",
  COPPICE_HOME: "/planted",
  AWS_SECRET_ACCESS_KEY: "planted",
};
const report = await createCommands().report();
if (report.kind === "none") console.log(`Confined runs are skipped: ${report.missing.join(" ")}`);

const modes = [
  ["confined", report.kind === "none"],
  ["unconfined", false],
] as const;

for (const [mode, isSkipped] of modes) {
  describe.skipIf(isSkipped)(`a command, ${mode}`, () => {
    let place: TrialPlace;
    let options: CommandOptions;
    beforeEach(() => {
      place = makeTrialPlace();
      options = {
        killGraceMs: 200,
        environment: () => Promise.resolve({ ...planted, PATH: process.env["PATH"] }),
        sandbox: mode === "confined" ? "auto" : "off",
      };
    });
    afterEach(() => {
      place.remove();
    });

    it("is reported as what it is", async () => {
      expect((await createCommands(options).report()).kind).toBe(mode === "confined" ? report.kind : "none");
    });

    it("answers with exit code, output and size", async () => {
      const outcome = await place.run(createCommands(options), "echo out; echo err >&2; echo more; exit 3");
      expect(outcome).toEqual({
        outcome: "exited",
        exitCode: 3,
        signal: null,
        durationMs: expect.any(Number) as number,
        output: "out\nerr\nmore\n",
        outputBytes: 13,
      });
    });

    it.each([
      ["no-such-program", 127],
      ["./a.txt", 126],
    ])("takes the shell's answer to %s as data", async (line, exitCode) => {
      expect(await place.run(createCommands(options), line)).toMatchObject({ outcome: "exited", exitCode });
    });

    it("[D01] gets an empty standard input, no terminal and no secret", async () => {
      const outcome = await place.run(
        createCommands(options),
        'read -r line; echo "read:$?"; (: < /dev/tty) 2>/dev/null; echo "tty:$?"; env',
      );
      expect(outcome.output).toMatch(/^read:1\ntty:[12]\n/);
      expect(outcome.output).not.toContain("planted");
      expect(outcome.output).toContain(`COPPICE_RUN=${place.tag}\n`);
      expect(outcome.output).toContain(`HOME=${place.dataFolder}/home\n`);
    });

    it("ends at the shell's exit although a child holds the pipe, and the child ends too", async () => {
      const duration = uniqueSleep();
      const outcome = await place.run(createCommands(options), `sleep ${duration} & echo started`);
      expect(outcome).toMatchObject({ outcome: "exited", exitCode: 0, output: "started\n" });
      expect(await place.findProcesses(duration)).toEqual([]);
    });

    it.each([
      ["a pipeline", (sleep: string) => `echo ready; ${sleep} | cat`],
      ["a child in a session of its own", (sleep: string) => `setsid ${sleep} & echo ready; wait`],
      ["a child that ignores TERM", (sleep: string) => `(trap "" TERM; echo ready; ${sleep}) & wait`],
      [
        "a shell that ignores TERM and has such children",
        (sleep: string) => `trap "" TERM; echo ready; ${sleep}; ${sleep}`,
      ],
      [
        "a child in a session of its own that ignores TERM",
        (sleep: string) => `setsid sh -c 'trap "" TERM; echo ready; ${sleep}; true' & wait`,
      ],
    ])("[D04] [D05] leaves nothing of %s, after a cancel and after a timeout", async (_what, lineOf) => {
      const duration = uniqueSleep();
      const controller = new AbortController();
      const onOutput = (): void => controller.abort();
      const port = createCommands(options);
      const line = lineOf(`sleep ${duration}`);
      const cancelled = await place.run(port, line, {}, { signal: controller.signal, onOutput });
      expect(cancelled).toMatchObject({ outcome: "cancelled", exitCode: null, output: "ready\n" });
      expect(await place.findProcesses(duration)).toEqual([]);
      const late = await place.run(port, line, { timeoutMs: 700 });
      expect(late).toMatchObject({ outcome: "timeout", exitCode: null });
      expect(await place.findProcesses(duration)).toEqual([]);
    });

    it("[D16] says at a timeout what was running", async () => {
      const duration = uniqueSleep();
      const outcome = await place.run(createCommands(options), `echo partial; sh -c 'sleep ${duration}; true'; true`, {
        timeoutMs: 2000,
      });
      expect(outcome.output).toBe(
        `partial\n[stopped after 2 s while running: sh -c sleep ${duration}; true → sleep ${duration}]\n`,
      );
    });

    it("starts nothing when it is cancelled already", async () => {
      const outcome = await place.run(createCommands(options), "echo ran", {}, { signal: AbortSignal.abort() });
      expect(outcome).toMatchObject({ outcome: "cancelled", exitCode: null, output: "", outputBytes: 0 });
    });

    it("[D19] lets no text through after a cancel", async () => {
      const controller = new AbortController();
      let isCancelled = false;
      let lateCount = 0;
      const onOutput = (): void => {
        if (isCancelled) lateCount += 1;
        isCancelled = true;
        controller.abort();
      };
      const outcome = await place.run(createCommands(options), "yes", {}, { signal: controller.signal, onOutput });
      expect([outcome.outcome, lateCount <= 1]).toEqual(["cancelled", true]);
    });

    it("[D07] stops a command that prints without end, and keeps head and tail", async () => {
      const outputLimits = { headChars: 1000, tailChars: 1000, limitBytes: 3_000_000 };
      const outcome = await place.run(createCommands({ ...options, outputLimits }), "echo first; yes");
      expect(outcome).toMatchObject({ outcome: "exited", exitCode: null });
      expect(outcome.output).toMatch(/^first\ny\n/);
      expect(outcome.output).toMatch(
        /\[stopped: it printed more than 3,000,000 bytes\. Print less, or into a file\]\n$/,
      );
      expect(outcome.output.length).toBeLessThan(2200);
    });

    it("[D08] shows bytes that are not UTF-8 as U+FFFD, and the last state of a progress line", async () => {
      const outcome = await place.run(
        createCommands(options),
        "printf 'a\\377b\\n'; for i in $(seq 2000); do printf '\\r%s%%' $i; done; echo",
      );
      expect(outcome.output).toBe("a\uFFFDb\n2000%\n");
    });

    it("[D08] takes one line of 50 MB", async () => {
      const outcome = await place.run(createCommands(options), "head -c 50000000 /dev/zero | tr '\\0' x");
      expect(outcome).toMatchObject({ exitCode: 0, outputBytes: 50_000_000 });
      expect(outcome.output.length).toBeLessThan(66_000);
    });

    it("refuses a line that no shell can take", async () => {
      const port = createCommands(options);
      expect((await place.run(port, "echo a\0b")).message).toContain("NUL byte");
      expect((await place.run(port, `: ${"x".repeat(200_000)}`)).message).toContain("too long");
    });

    it("[D10] [D11] says what is wrong with the working folder", async () => {
      const port = createCommands(options);
      writeFileSync(path.join(place.root, "b.txt"), "");
      symlinkSync("/", path.join(place.root, "out"));
      const messages: (string | undefined)[] = [];
      for (const cwd of ["build", "b.txt", "out", "../.."]) {
        messages.push((await place.run(port, "echo ran", { cwd: path.join(place.root, cwd) })).message);
      }
      rmSync(place.root, { recursive: true });
      messages.push((await place.run(port, "echo ran")).message);
      expect(messages).toEqual([
        expect.stringContaining('"build" does not exist'),
        expect.stringContaining('"b.txt" is a file'),
        expect.stringContaining('"out" is a link that leads outside'),
        expect.stringContaining('"../.." is outside the work place'),
        expect.stringContaining("is gone: it was removed"),
      ]);
    });

    it("runs beside another of the same run without ending it", async () => {
      const port = createCommands(options);
      await place.run(port, "mkfifo gate");
      const started = Promise.withResolvers<void>();
      const long = place.run(
        port,
        'echo ready; read -r word < gate; echo "$word"',
        {},
        { onOutput: () => started.resolve() },
      );
      await started.promise;
      await place.run(port, "true");
      await place.run(port, "echo opened > gate");
      expect(await long).toMatchObject({ outcome: "exited", exitCode: 0, output: "ready\nopened\n" });
    });

    it("is found and ended by its tag, and no other is", async () => {
      const [own, other] = [uniqueSleep(), uniqueSleep()];
      const port = createCommands(options);
      const controller = new AbortController();
      const started = Promise.withResolvers<void>();
      const swept = place.run(port, `echo ready; sleep ${own}`, {}, { onOutput: () => started.resolve() });
      const otherStarted = Promise.withResolvers<void>();
      const kept = place.run(
        port,
        `echo ready; sleep ${other}`,
        { tag: `${place.tag}-other` },
        { signal: controller.signal, onOutput: () => otherStarted.resolve() },
      );
      await Promise.all([started.promise, otherStarted.promise]);
      expect(await createCommands(options).sweep(place.tag)).toBeGreaterThan(0);
      await swept;
      expect((await place.findProcesses(other)).length).toBeGreaterThan(0);
      expect(await place.findProcesses(own)).toEqual([]);
      controller.abort();
      expect((await kept).outcome).toBe("cancelled");
    });
  });
}

it.skipIf(report.kind !== "bubblewrap")(
  "looks again for what confines commands as long as it has found nothing",
  async () => {
    const place = makeTrialPlace();
    const folder = path.join(place.root, "bin");
    mkdirSync(folder);
    const launcher = path.join(folder, "bwrap");
    writeFileSync(launcher, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const PATH = `${folder}:${process.env["PATH"] ?? ""}`;
    const commands = createCommands({ environment: () => Promise.resolve({ PATH }) });
    const before = await commands.report();
    rmSync(launcher);
    expect([before.isWhole, (await commands.report()).isWhole]).toEqual([false, true]);
    place.remove();
  },
);
