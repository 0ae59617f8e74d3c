// The journal for people: one line an event, its ordinal first, its most telling fields last. Leaves no event out.

import type { Json } from "../../../../shared/lib/json.ts";
import type { EventOf, EventType, RunEvent } from "../../../domain/events.ts";
import { pointerWords } from "../../../domain/projections/pointerWords.ts";
import { optionWords, roleModelWords } from "../../../domain/projections/optionWords.ts";
import { countOf, countWords, durationWords, limitWords, shortCommit, sliceWords, tokenWords } from "./figures.ts";
import { fit, pad, padStart } from "./layout.ts";
import { type Look, lookOf, type LookOptions } from "./look.ts";
import { paint, type Tone } from "./style.ts";
import { subjectOf, usageWords } from "./tellWork.ts";

type Telling = { readonly [T in EventType]: (data: EventOf<T>["data"], look: Look) => readonly string[] };

/** Under this many columns the facts follow their type at once. */
const roomyColumns = 80;

/** One line of at most `columns`: ordinal, time, agent, type, facts. */
export function renderEvent(event: RunEvent, options: LookOptions): string {
  const look = lookOf(options);
  const { style, columns, signs } = look;
  const n = padStart(String(event.n), 5);
  const time = look.clock.time(event.at);
  const agent = pad(event.agent, 11);
  const type = columns >= roomyColumns ? pad(event.type, 22) : event.type;
  const room = columns - (n.length + time.length + agent.length + type.length + 8);
  const facts = fit(look.facts(factsOf(event, look)), Math.max(1, room), signs.ellipsis);
  const line = [
    paint(style, "dim", n),
    paint(style, "dim", time),
    paint(style, "blue", agent),
    paint(style, toneOf(event), type),
    facts,
  ].join("  ");
  return facts === "" ? line.trimEnd() : line;
}

/** The facts of one event, safe for one line. A type of a newer version has none. */
function factsOf(event: RunEvent, look: Look): readonly string[] {
  if (!Object.hasOwn(telling, event.type)) return [];
  // The table pairs each type with its own data; the compiler cannot follow that through the union.
  const tell = telling[event.type] as (data: unknown, look: Look) => readonly string[];
  return tell(event.data, look).map((fact) => look.line(fact));
}

const redTypes: ReadonlySet<EventType> = new Set([
  "model.failed",
  "model.lost",
  "tool.refused",
  "handoff.refused",
  "changeset.conflicted",
  "merge.conflicted",
  "budget.exhausted",
]);
const greenTypes: ReadonlySet<EventType> = new Set(["changeset.landing", "changeset.landed"]);
const amberTypes: ReadonlySet<EventType> = new Set([
  "approval.requested",
  "changeset.held",
  "run.waiting",
  "run.interrupted",
]);

function toneOf(event: RunEvent): Tone {
  if (redTypes.has(event.type)) return "red";
  if (greenTypes.has(event.type)) return "green";
  if (amberTypes.has(event.type)) return "amber";
  if (event.type === "subagent.stopped" && event.data.status === "failed") return "red";
  if (event.type === "tool.settled" && (event.data.outcome === "failed" || event.data.outcome === "unknown"))
    return "red";
  return event.type === "verification.ran" && event.data.exitCode !== 0 ? "red" : "plain";
}

function commandName(command: Json): string {
  return typeof command === "object" && command !== null && "type" in command && typeof command.type === "string"
    ? command.type
    : "";
}

const given = (text: string | number | null | undefined): string =>
  text === null || text === undefined ? "" : String(text);
const first = (text: string, more: readonly string[]): string => (text.trim() === "" ? more.join(", ") : text);

const telling: Telling = {
  "run.created": (data) => [
    data.title,
    data.repo,
    `${data.baseBranch ?? "detached"} ${shortCommit(data.base)}`,
    `target ${data.target}`,
    data.options.model,
    ...roleModelWords(data.options),
  ],
  "run.started": (data) => [`epoch ${data.epoch}`],
  "run.waiting": (data) => [`for ${data.for}`],
  "run.paused": (data) => [data.after === undefined ? "" : `after ${data.after}`],
  "run.resumed": (data) => [`after ${data.after}`, `epoch ${data.epoch}`],
  "run.interrupted": (data) => [data.reason],
  "run.ending": (data) => [data.reason, given(data.code), given(data.sentence)],
  "run.stopped": (data) => [data.reason, data.partial ? "partial" : "", given(data.code), data.answer],
  "run.forked": (data) => [`from ${data.origin} at event ${data.at}`],
  "repository.moved": (data) => [`to ${data.repository.topLevel}`],
  "run.renamed": (data) => [data.title],
  "input.received": (data) => [`${data.from} to ${data.to}`, data.text],
  "plan.updated": (data) => [countOf(data.steps.length, "step")],
  "note.added": (data) => [data.kind, data.text, data.by === undefined ? "" : `by ${data.by}`],
  "note.retracted": (data) => [`#${data.note}`, `by ${data.by}`],
  "model.requested": (data) => [
    data.model,
    `about ${tokenWords(data.estimate.inputTokens)} in`,
    data.forced === true ? "forced" : "",
    given(data.promptKind),
  ],
  "model.completed": (data) => [
    data.finish,
    data.usage === null ? "usage unknown" : usageWords(data.usage),
    first(
      data.text,
      data.toolCalls.map((call) => call.name),
    ),
  ],
  "model.failed": (data) => [data.code, data.message],
  "model.lost": (data) => [data.request],
  "model.retried": (data) => [`attempt ${data.attempt}`, `in ${durationWords(data.waitMs)}`, data.reason],
  "context.compacted": (data) => [
    `from ${countWords(data.from)} to ${countWords(data.to)}`,
    data.upTo === undefined ? `${data.stubbed} stubbed` : `summed up to #${data.upTo}`,
  ],
  "tool.refused": (data) => [data.tool, data.code, data.message],
  "tool.dispatched": (data) => [data.tool, subjectOf(data.input), data.effect],
  "tool.settled": (data) => [
    data.tool,
    data.outcome,
    typeof data.exitCode === "number" ? `exit ${data.exitCode}` : "",
    durationWords(data.durationMs),
    given(data.code),
    data.output,
  ],
  "tool.answered": (data) => [data.tool, data.output],
  "landing.undone": (data) => [data.landing, shortCommit(data.commit)],
  "landing.failed": (data) => [data.landing, data.code, data.sentence],
  "slice.renewed": (data) => [data.subagent, `${data.slice.steps ?? "unlimited"} steps`],
  "handoff.recorded": (data) => [
    data.subagent,
    data.role,
    data.title,
    data.dependsOn.length === 0 ? "" : `after ${data.dependsOn.map(({ id }) => id).join(", ")}`,
    data.policy,
  ],
  "handoff.refused": (data) => [data.code, data.sentence, data.task],
  "policy.judged": (data) => [data.subagent],
  "subagent.queued": (data) => [data.code, data.sentence],
  "subagent.started": (data) => [`root ${shortCommit(data.root)}`, given(data.worktree)],
  "subagent.waiting": (data) => [`for ${data.for}`, given(data.approval), given(data.question)],
  "subagent.resumed": (data) => [`after ${data.after}`, given(data.text)],
  "subagent.checked": (data) => [data.verdict, data.reason],
  "subagent.messaged": (data) => [data.text],
  "subagent.result": (data) => [
    data.result.status,
    data.schema,
    countOf(data.evidence.length, "source"),
    data.result.answer,
  ],
  "subagent.repair": (data) => data.errors,
  "subagent.stopped": (data) => [data.status, given(data.code), given(data.sentence)],
  "subagent.settled": (data) => [
    data.subagent,
    data.status,
    given(data.code),
    `verification ${data.verification}`,
    countOf(data.used.steps, "step"),
  ],
  "worktree.created": (data) => [data.path, `root ${shortCommit(data.root)}`],
  "worktree.provisioned": (data) => [
    data.path,
    data.pointers === undefined ? "" : pointerWords(data.pointers),
    given(data.command),
    data.exitCode == null ? given(data.outcome) : `exit ${data.exitCode}`,
    durationWords(data.durationMs),
  ],
  "worktree.pinned": (data) => [data.ref, data.reason],
  "worktree.removed": (data) => [data.path],
  "worktree.rebased": (data) => [
    data.changeset,
    `root ${shortCommit(data.root)}`,
    data.conflicts.length === 0 ? "" : `conflicts: ${data.conflicts.join(", ")}`,
  ],
  "changeset.proposed": (data) => [
    data.changeset,
    shortCommit(data.commit),
    countOf(data.hunks.length, "hunk"),
    data.files.map(({ path }) => path).join(", "),
  ],
  "changeset.checked": (data) => [data.changeset],
  "changeset.returned": (data) => [data.changeset, `by ${data.by}`, `round ${data.round} of ${data.rounds}`],
  "changeset.empty": (data) => [`base ${shortCommit(data.base)}`],
  "verification.ran": (data) => [
    data.command,
    data.exitCode === null ? data.outcome : `exit ${data.exitCode}`,
    durationWords(data.durationMs),
    `tree ${shortCommit(data.tree)}`,
  ],
  "changeset.reviewed": (data) => [
    data.changeset,
    `by ${data.by}`,
    data.hunks === "all" ? "all hunks" : `hunks of ${Object.keys(data.hunks).join(", ")}`,
    ...(data.amendments ?? []).map(({ path, hunk }) => `hunk ${hunk} of ${path} amended`),
    ...(data.resolutions ?? []).map(({ path, picks }) => `${countOf(picks.length, "conflict")} of ${path} resolved`),
    ...data.comments,
  ],
  "changeset.landing": (data) => [
    data.changeset,
    data.target,
    `${data.old === null ? "new branch" : shortCommit(data.old)} to ${shortCommit(data.new)}`,
    data.landing,
  ],
  "changeset.landed": (data) => [data.changeset, data.target, shortCommit(data.commit), data.files.join(", ")],
  "changeset.held": (data) => [data.changeset, data.code, data.sentence],
  "changeset.conflicted": (data) => [data.changeset, data.paths.join(", ")],
  "changeset.dropped": (data) => [data.changeset, data.reason],
  "approval.requested": (data) => [data.approval, data.kind, data.summary, given(data.command)],
  "approval.decided": (data) => [data.approval, data.decision, `by ${data.by}`, data.scope, given(data.comment)],
  "approval.withdrawn": (data) => [data.approval, data.reason],
  "merge.conflicted": ({ criterion, sides }) => [
    criterion,
    sides.map(({ by, verdict }) => `${by} ${verdict}`).join(", "),
  ],
  "payload.erased": (data) => [`events ${data.events.join(", ")}`, data.reason],
  "command.answered": (data) => [commandName(data.command), "changed nothing"],
  "options.set": (data) => [...optionWords(data), `by ${data.by}`],
  "budget.set": (data) => [...limitWords(data.limit), ...sliceWords(data.slices), `by ${data.by}`],
  "usage.doubted": ({ model, told, estimated }) => [
    model,
    `told ${countWords(told)} of about ${countWords(estimated)} input tokens`,
  ],
  "budget.warned": (data) => [data.agent, data.balance, `${countWords(data.used)} of ${countWords(data.limit)}`],
  "budget.exhausted": (data) => [data.agent, data.balance],
};
