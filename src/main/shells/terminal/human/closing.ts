// The end of `run`, `resume` and `watch`: how the run stands, its tree, the answer, what landed, what waits, what it took.
// Complete in itself: whoever reads only this has missed nothing that matters.

import type { RunSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { Summary } from "../summary.ts";
import { costWords, countOf, durationWords, shortCommit } from "./figures.ts";
import { pad, textWidth, wrap, wrapFacts } from "./layout.ts";
import { type Look, lookOf, type LookOptions } from "./look.ts";
import { plainText } from "./plainText.ts";
import { paint } from "./style.ts";
import { usageWords } from "./tellWork.ts";
import { renderTree } from "./tree.ts";
import { approvalWords, decidingCommands } from "./words.ts";

const inset = "  ";

/** What the lead said last, already on the screen since `at`. */
export interface Spoken {
  readonly text: string;
  readonly at: number;
}

/** An answer of more lines than this is not said twice: its beginning, and where it stands in full. */
const maxRepeatedLines = 12;
const beginningLines = 3;

/** Sections with a blank line before each, the empty ones left out. The time taken is from the assignment to the last event. */
export function renderClosing(
  summary: Summary,
  snapshot: RunSnapshot,
  options: LookOptions,
  spoken: Spoken | null = null,
): string[] {
  const look = lookOf(options);
  const sections: readonly (readonly string[])[] = [
    renderTree(snapshot, options),
    section(summary.partial ? "Answer, partial" : "Answer", answerLines(summary, spoken, look), look),
    section("Landed", landedLines(summary, look), look),
    section("Waits for you", waitingLines(summary, snapshot, look), look),
    section("Used", usageLines(summary, snapshot, look), look),
    section("Next", nextLines(summary, look), look),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines]);
}

function section(heading: string, lines: readonly string[], { style }: Look): readonly string[] {
  return lines.length === 0
    ? []
    : [paint(style, "bold", heading), ...lines.map((line) => (line === "" ? "" : inset + line))];
}

function answerLines(
  { answer }: Summary,
  spoken: Spoken | null,
  { columns, style, signs, clock }: Look,
): readonly string[] {
  const text = plainText(answer ?? "").trim();
  if (text === "") return [];
  const lines = wrap(text, columns - inset.length);
  if (spoken?.text !== text || lines.length <= maxRepeatedLines) return lines;
  return [
    ...lines.slice(0, beginningLines),
    paint(style, "dim", `${signs.ellipsis} in full above, at ${clock.time(spoken.at)}`),
  ];
}

function landedLines({ landed }: Summary, look: Look): readonly string[] {
  const { style, signs, columns } = look;
  return landed.flatMap(({ target, commit, files }) => [
    `${paint(style, "green", `${signs.glyphs.landed} ${shortCommit(commit)}`)} on ${paint(style, "bold", look.line(target))}${inset}${paint(style, "dim", countOf(files.length, "file"))}`,
    ...files.flatMap((file) => wrap(look.line(file), columns - 4).map((line) => inset + paint(style, "dim", line))),
  ]);
}

function waitingLines({ run, waiting }: Summary, snapshot: RunSnapshot, look: Look): readonly string[] {
  const { style, signs, columns } = look;
  return waiting.flatMap((one) => {
    const approval = snapshot.approvals.find(({ id }) => id === one.id);
    const looking = one.kind === "changeset" ? [`coppice diff ${run} ${one.agent}`] : [];
    const head = `${signs.glyphs["needs-you"]} ${look.line(approvalWords(one.kind))}`;
    return [
      `${paint(style, "amber", head)}${inset}${paint(style, "dim", one.agent)}`,
      ...(approval === undefined ? [] : wrap(look.line(approval.summary), columns - 4).map((line) => inset + line)),
      ...[...looking, ...decidingCommands(approval ?? one)].map(
        (line) => inset + inset + paint(style, "bold", look.line(line)),
      ),
    ];
  });
}

function usageLines({ usage, costUsd }: Summary, snapshot: RunSnapshot, look: Look): readonly string[] {
  const took = durationWords(snapshot.updatedAt - snapshot.createdAt);
  const doubts = (snapshot.doubted ?? []).map((model) => look.line(`input of ${model} charged as estimated`));
  return wrapFacts(
    [usageWords(usage), countOf(usage.requests, "request"), costWords(costUsd), ...doubts, took],
    look.columns - inset.length,
    look.signs.dot,
  );
}

/** What to type next, where the run did not simply end well. */
function nextLines({ run, status, stopReason, waiting }: Summary, look: Look): readonly string[] {
  const id = look.line(run);
  const lines: (readonly [string, string])[] = [];
  if (waiting.length > 0 && status !== "stopped") lines.push([`coppice resume ${id}`, "goes on once you have decided"]);
  if (
    waiting.length === 0 &&
    (status === "interrupted" || status === "ready" || status === "paused" || stopReason === "interrupted")
  )
    lines.push([`coppice resume ${id}`, "goes on from here"]);
  if (status === "stopped" && stopReason !== "final_answer" && stopReason !== "cancelled")
    lines.push([`coppice log ${id}`, "shows what led to this"]);
  const width = Math.max(0, ...lines.map(([line]) => textWidth(line)));
  return lines.map(
    ([line, does]) => `${paint(look.style, "bold", pad(line, width))}${inset}${paint(look.style, "dim", does)}`,
  );
}
