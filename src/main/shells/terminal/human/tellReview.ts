// What stands between a subagent's edits and the person's branch, as a person is told it: proposals, checks, approvals,
// landings. Every question comes with the command that decides it.

import type { AgentId } from "../../../../shared/contract/ids.ts";
import type { EventType } from "../../../domain/events.ts";
import type { FileChange, ProposedFile } from "../../../domain/records.ts";
import { type Detail, silent, type Teller } from "./entry.ts";
import { countOf, durationWords, shortCommit } from "./figures.ts";
import type { Look } from "./look.ts";
import { lastLine, plainText } from "./plainText.ts";
import { approvalWords, decidingCommands } from "./words.ts";

/** Most files that a line of progress lists; `coppice diff` shows them all. */
const maxFiles = 8;

export const reviewTellers = {
  "changeset.proposed": ({ agent, data }, _snapshot, look) => ({
    agent,
    glyph: "ready",
    head: "Change set",
    text: `${look.line(data.changeset)}, ${countOf(data.hunks.length, "hunk")} in ${countOf(data.files.length, "file")}`,
    details: [
      ...fileDetails(data.files, look),
      ...factsOf((data.leftOut ?? []).slice(0, maxFiles).map((path) => `left out: ${look.line(path)}`)),
    ],
  }),
  "changeset.empty": silent,
  "changeset.checked": silent,
  "changeset.returned": ({ data }, _snapshot, look) => ({
    agent: agentOf(data.changeset),
    head: `Sent back by ${data.by}`,
    text: look.line(`round ${data.round} of ${data.rounds}`),
  }),
  "verification.ran": ({ data }, _snapshot, look) => {
    const hasPassed = data.exitCode === 0 && data.outcome === "exited";
    const end = data.exitCode === null ? data.outcome.replace("_", " ") : `exit ${data.exitCode}`;
    return {
      tone: hasPassed ? "green" : "red",
      head: hasPassed ? "Check passed" : "Check failed",
      text: look.facts([look.line(data.command), end, durationWords(data.durationMs)]),
      details: hasPassed ? [] : factsOf([lastLine(data.output)]),
    };
  },
  "changeset.reviewed": silent,
  "changeset.landing": ({ data }, _snapshot, look) => ({
    agent: agentOf(data.changeset),
    glyph: "landing",
    tone: "green",
    head: "Landing",
    text: `${look.line(data.changeset)} on ${look.line(data.target)} as ${shortCommit(data.new)}`,
  }),
  "changeset.landed": ({ data }, _snapshot, look) => ({
    agent: agentOf(data.changeset),
    glyph: "landed",
    tone: "green",
    head: "Landed",
    text: `${look.line(data.target)} is at ${shortCommit(data.commit)}, ${countOf(data.files.length, "file")}`,
    details: [...listed(data.files.map((file) => look.line(file))), ...factsOf([hooksWords(data.hooks ?? [], look)])],
  }),
  "changeset.held": ({ data }, snapshot, look) => {
    const approval = snapshot.approvals.find(({ changeset }) => changeset === data.changeset);
    const again = approval === undefined ? [] : decidingCommands(approval, data.code === "CONFLICT");
    return {
      agent: agentOf(data.changeset),
      glyph: "needs-you",
      tone: "amber",
      head: `Held, ${look.line(data.code)}`,
      text: look.line(data.sentence),
      details: again.map((text) => ({ kind: "command", text: look.line(text) }) as const),
    };
  },
  "changeset.conflicted": ({ data }, _snapshot, look) => ({
    agent: agentOf(data.changeset),
    glyph: "failed",
    tone: "red",
    head: "Conflict",
    text: countOf(data.paths.length, "path"),
    details: listed(data.paths.map((path) => look.line(path))),
  }),
  "landing.undone": ({ data }, snapshot, look) => ({
    glyph: "landing",
    head: "Taken back",
    text: look.facts([look.line(data.landing), `${look.line(snapshot.target)} is at ${shortCommit(data.commit)}`]),
  }),
  "landing.failed": ({ data }, _snapshot, look) => ({
    tone: "amber",
    head: `Not taken back, ${look.line(data.code)}`,
    text: look.line(data.sentence),
  }),
  "changeset.dropped": ({ data }, _snapshot, look) => ({
    agent: agentOf(data.changeset),
    head: "Change set dropped",
    text: look.line(data.reason),
  }),
  "approval.requested": ({ root, n, data }, snapshot, look) => {
    // Already decided by the time of the picture, by policy or long ago: its decision has a line of its own.
    if (snapshot.at >= n && !snapshot.approvals.some(({ id }) => id === data.approval)) return null;
    const command = data.command === undefined ? [] : plainText(data.command).split("\n");
    const known = snapshot.approvals.find(({ id }) => id === data.approval);
    const decide = decidingCommands({ id: data.approval, kind: data.kind, isLine: known?.isLine === true });
    const looking = data.kind === "changeset" ? [`coppice diff ${root} ${data.agent}`] : [];
    return {
      agent: data.agent,
      glyph: "needs-you",
      tone: "amber",
      head: `Needs you, ${look.line(approvalWords(data.kind)).toLowerCase()}`,
      text: look.line(data.summary),
      details: [
        ...(data.why === undefined ? [] : factsOf([look.line(data.why)])),
        ...command.map((text): Detail => ({ kind: "quote", text: `$ ${text}` })),
        ...[...looking, ...decide].map((text): Detail => ({ kind: "command", text: look.line(text) })),
      ],
    };
  },
  "approval.decided": ({ data }, _snapshot, look) => ({
    head: `${decisionWords[data.decision]} by ${look.line(data.by)}${data.scope === "once" ? "" : ` for the ${data.scope}`}`,
    text: look.line(data.comment ?? data.message ?? ""),
  }),
  "approval.withdrawn": ({ data }, _snapshot, look) => ({
    tone: "dim",
    head: "Question withdrawn",
    text: look.line(data.reason),
    textTone: "dim",
  }),
  "merge.conflicted": ({ data }, _snapshot, look) => ({
    glyph: "failed",
    tone: "red",
    head: "Opposite verdicts",
    text: look.line(data.criterion),
    details: factsOf(
      data.sides.map(({ by, role, verdict, evidence }) =>
        look.facts([look.line(`${by}, ${role}: ${verdict}`), look.line(evidence)]),
      ),
    ),
  }),
} satisfies { readonly [T in EventType]?: Teller<T> };

const decisionWords = {
  approved: "Approved",
  rejected: "Rejected",
  sent_back: "Sent back",
  answered: "Answered",
} as const;

const changeMarks: Readonly<Record<FileChange["change"], string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
  mode: "T",
  binary: "B",
};

const askingWords: Readonly<Record<NonNullable<FileChange["asks"]>, string>> = {
  PROTECTED_PATH: "protected path",
  OUTSIDE_PATHS: "outside its paths",
  CONFLICT_MARKS: "conflict marks left",
};

/** `M src/pay.ts +12 -3`, and why a file does not land unasked. */
function fileDetails(files: readonly ProposedFile[], look: Look): readonly Detail[] {
  const lines = files.map(({ path, from, change, added, removed, asks }) => {
    const name = from === undefined ? look.line(path) : `${look.line(from)} ${look.signs.arrow} ${look.line(path)}`;
    const mark = asks === undefined ? "" : `  ${askingWords[asks]}`;
    return `${changeMarks[change]} ${name} +${added} -${removed}${mark}`;
  });
  return listed(lines);
}

function hooksWords(hooks: readonly string[], look: Look): string {
  if (hooks.length === 0) return "";
  return `no hook of yours ran (${hooks.map((name) => look.line(name)).join(", ")}); name what must pass with --verify`;
}

function listed(lines: readonly string[]): readonly Detail[] {
  const left = lines.length - maxFiles;
  return factsOf(left > 0 ? [...lines.slice(0, maxFiles), `and ${left} more`] : lines);
}

function factsOf(lines: readonly string[]): readonly Detail[] {
  return lines.filter((text) => text !== "").map((text) => ({ kind: "fact", text }));
}

/** A change set is named after its subagent and its number: `subagent-3.1`. */
function agentOf(changeset: string): AgentId {
  return changeset.replace(/\.\d+$/, "") as AgentId;
}
