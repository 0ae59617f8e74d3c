// Where the command line writes: JSON lines for scripts, words for people, problems on stderr. The only file of the
// terminal shell that touches stdout and stderr.

import { findErrorCode, WorkbenchError } from "../../../shared/contract/errors.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import type { RunEvent } from "../../domain/events.ts";
import { renderProblem } from "./human/problem.ts";
import { progressLine } from "./human/progressLine.ts";
import { ansiStyle, plainStyle, type Style } from "./human/style.ts";

export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** A person sits at a terminal and can be asked there. */
  readonly isInteractive: boolean;
  readonly style: Style;
  readonly columns: number;
  readonly unicode: boolean;
  /** One JSON object on a line of stdout; nothing without `--json`. */
  json(value: unknown): void;
  /** A line for people on stdout; nothing under `--json` or `--quiet`. */
  line(text: string): void;
  /** A line that is the answer itself: shown under `--quiet` too. */
  answer(text: string): void;
  /** A remark on stderr. */
  remark(text: string): void;
  /** Where stderr is a terminal, a line on it that the next one replaces and `null` takes away; nothing under `--json` or `--quiet`. */
  progress(text: string | null): void;
  /** Says what went wrong and answers with the exit code that goes with it. */
  fail(error: Failure): number;
}

export function createOutput(options: {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}): Output {
  const isJson = options.json === true;
  const isQuiet = options.quiet === true;
  const { stdout, stderr } = process;
  const hasColour = stdout.isTTY && process.env["NO_COLOR"] === undefined && process.env["TERM"] !== "dumb";
  const write = (text: string) => void stdout.write(`${text}\n`);
  return {
    isJson,
    isQuiet,
    isInteractive: !isJson && !isQuiet && process.stdin.isTTY && stdout.isTTY,
    style: hasColour ? ansiStyle : plainStyle,
    columns: stdout.columns || 100,
    unicode: /utf-?8/i.test(process.env["LC_ALL"] ?? process.env["LC_CTYPE"] ?? process.env["LANG"] ?? "utf-8"),
    json: (value) => {
      if (isJson) write(JSON.stringify(value));
    },
    line: (text) => {
      if (!isJson && !isQuiet) write(text);
    },
    answer: (text) => {
      if (!isJson) write(text);
    },
    remark: (text) => void stderr.write(`${text}\n`),
    progress: isJson || isQuiet || process.env["TERM"] === "dumb" ? () => undefined : progressLine(stderr),
    fail: (error) => {
      for (const line of renderProblem(error)) stderr.write(`${line}\n`);
      if (isJson) write(JSON.stringify({ error: { code: error.code, message: error.message } }));
      return findErrorCode(error.code)?.exitCode ?? 1;
    },
  };
}

/** A journal event exactly as stored, in the fields that are public. */
export function publicEvent({ n, pos, run, root, agent, seq, type, at, data }: RunEvent): unknown {
  return { n, pos, run, root, agent, seq, type, at, data };
}

/** Any error as a failure that can be shown: known ones by their code, a defect by its own words. */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkbenchError) return { code: error.code, message: error.message };
  if (error instanceof Error && "code" in error && typeof error.code === "string" && /^[A-Z_]+$/.test(error.code))
    return { code: error.code, message: error.message };
  return { code: "UNEXPECTED", message: error instanceof Error ? error.message : String(error) };
}
