// Owns the command port: one shell line, confined where this machine can confine, and what became of it.
// It must never reject, and never resolve while a process of the command lives.

import { randomUUID } from "node:crypto";
import type { CommandOutcome, CommandPort, CommandSpec } from "../engine/ports/command.ts";
import { cleanEnvironment, markVariable, tagVariable } from "./environment.ts";
import { launchFailure, prepareLaunch } from "./launch.ts";
import { resolveLayout } from "./layout.ts";
import { collectOutput, defaultOutputLimits, type OutputLimits } from "./output.ts";
import { checkPlace, settleFolders } from "./place.ts";
import { probeSandbox, type Probe } from "./probe.ts";
import { runProcess, type ProcessEnd, type ProcessSpec } from "./process.ts";
import { endProcesses } from "./processTable.ts";
import { toolchainsOf } from "./toolchains.ts";

export interface CommandOptions {
  /** Folders that stay visible, read-only, although they lie below a hidden one: toolchains named in settings. Absolute. */
  readonly readOnlyFolders?: readonly string[];
  /** How long a process has between TERM and KILL. Default 500. */
  readonly killGraceMs?: number;
  /** Where PATH, locale and the like come from, asked for each command. Default: the app's own. */
  readonly environment?: () => Promise<Environment>;
  readonly outputLimits?: OutputLimits;
  /** `off` = never confine, by the person's own choice; the report says so. Default `auto`. */
  readonly sandbox?: "auto" | "off";
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Settings {
  readonly readOnlyFolders: readonly string[];
  readonly killGraceMs: number;
  readonly environment: () => Promise<Environment>;
  readonly outputLimits: OutputLimits;
}

/** Commands by bubblewrap on Linux and Seatbelt on macOS; elsewhere, or where they cannot run, unconfined in a process group of their own, as `report` says. */
export function createCommands(options: CommandOptions = {}): CommandPort {
  const settings: Settings = {
    readOnlyFolders: options.readOnlyFolders ?? [],
    killGraceMs: options.killGraceMs ?? 500,
    environment: options.environment ?? (() => Promise.resolve(process.env)),
    outputLimits: options.outputLimits ?? defaultOutputLimits,
  };
  let looking: Promise<Probe> | undefined;
  // What is missing may be installed or allowed meanwhile, so that is looked for again; what works is kept. Who asks while
  // it is looked for waits for the same answer.
  const probe = (): Promise<Probe> => (looking ??= look());
  const look = async (): Promise<Probe> => {
    let isKept = false;
    try {
      const { PATH } = await settings.environment();
      const found = await probeSandbox(PATH, options.sandbox ?? "auto");
      isKept = found.launcher !== null;
      return found;
    } finally {
      if (!isKept) looking = undefined;
    }
  };
  return {
    report: async () => (await probe()).report,
    async run(spec, watch) {
      const startedAt = performance.now();
      const elapsed = (): number => Math.round(performance.now() - startedAt);
      try {
        return { ...(await runCommand(spec, watch, settings, await probe())), durationMs: elapsed() };
      } catch (error) {
        return { ...refused(`The command could not be prepared: ${wordsOf(error)}`), durationMs: elapsed() };
      }
    },
    async sweep(tag) {
      const entry = `${tagVariable}=${tag}`;
      const { ended } = await endProcesses((row) => row.environment.includes(entry), settings.killGraceMs);
      return ended.length;
    },
  };
}

type Outcome = Omit<CommandOutcome, "durationMs">;

async function runCommand(
  spec: CommandSpec,
  watch: Parameters<CommandPort["run"]>[1],
  settings: Settings,
  probe: Probe,
): Promise<Outcome> {
  const place = await checkPlace(spec);
  if (!place.ok) return refused(place.error);
  const prepared = await describeProcess(await settleFolders(spec), place.value, settings, probe);
  const output = collectOutput(settings.outputLimits);
  const end = await runProcess(prepared.process, {
    signal: watch.signal,
    onOutput(chunk) {
      const text = output.write(chunk);
      if (text !== "") watch.onOutput?.(text);
      return output.isOverLimit() ? "stop" : "go";
    },
  });
  await prepared.dispose();
  const failure = startFailure(end, probe);
  if (failure !== null) return refused(failure);
  return {
    outcome: end.cause === "timeout" || end.cause === "cancelled" ? end.cause : "exited",
    exitCode: end.cause === "exited" ? end.exitCode : null,
    signal: end.cause === "flooded" ? (end.signal ?? "SIGTERM") : end.signal,
    output: joinNotes(output.finish(), notesOn(end, spec, settings)),
    outputBytes: output.byteCount(),
  };
}

interface Prepared {
  readonly process: ProcessSpec;
  dispose(): Promise<void>;
}

async function describeProcess(spec: CommandSpec, cwd: string, settings: Settings, probe: Probe): Promise<Prepared> {
  const mark = randomUUID();
  const inherited = await settings.environment();
  const toolchains = await toolchainsOf(inherited);
  const env = cleanEnvironment({
    inherited,
    shell: probe.shell,
    privateHome: spec.privateHome,
    tag: spec.tag,
    mark,
    network: spec.network,
    ...(spec.git === undefined ? {} : { git: spec.git }),
    toolchains: toolchains.variables,
  });
  // One pipe for both streams keeps their order; the second shell replaces the first and gets the line untouched.
  const argv = [probe.shell, "-c", 'exec "$0" -c "$1" 2>&1', probe.shell, spec.command] as const;
  const common = { env, timeoutMs: spec.timeoutMs, killGraceMs: settings.killGraceMs, mark: `${markVariable}=${mark}` };
  if (probe.launcher === null) {
    return { process: { ...common, argv, cwd, isLauncher: false, hasStatus: false }, dispose: async () => undefined };
  }
  const layout = await resolveLayout(spec, cwd, { named: settings.readOnlyFolders, found: toolchains.folders });
  const launch = await prepareLaunch(probe.launcher, layout, argv);
  return {
    process: { ...common, argv: launch.argv, cwd: launch.cwd, isLauncher: true, hasStatus: launch.hasStatus },
    dispose: launch.dispose,
  };
}

/** A sentence when the command itself never ran. */
function startFailure(end: ProcessEnd, probe: Probe): string | null {
  if (end.cause === "spawn_failed") {
    const code = end.error?.code;
    if (code === "E2BIG") return "The command line is too long for this system. Write it to a file and run that.";
    return `The shell could not be started: ${wordsOf(end.error)}. Check that ${probe.launcher?.file ?? probe.shell} can be run.`;
  }
  const words = probe.launcher === null ? null : launchFailure(probe.launcher, end);
  return words === null
    ? null
    : `The sandbox could not be set up: ${words}. Try again; if it stays, look at the sandbox's report.`;
}

function notesOn(end: ProcessEnd, spec: CommandSpec, settings: Settings): readonly string[] {
  const notes: string[] = [];
  if (end.cause === "timeout") {
    notes.push(`stopped after ${spec.timeoutMs / 1000} s${end.running === "" ? "" : ` while running: ${end.running}`}`);
  }
  if (end.cause === "flooded") {
    notes.push(
      `stopped: it printed more than ${settings.outputLimits.limitBytes.toLocaleString("en-US")} bytes. Print less, or into a file`,
    );
  }
  if (end.left.length > 0) notes.push(`processes that could not be ended: ${end.left.join(", ")}`);
  return notes;
}

function joinNotes(output: string, notes: readonly string[]): string {
  if (notes.length === 0) return output;
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  return `${output}${gap}${notes.map((note) => `[${note}]\n`).join("")}`;
}

function refused(message: string): CommandOutcome {
  return { outcome: "spawn_failed", exitCode: null, signal: null, durationMs: 0, output: "", outputBytes: 0, message };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
