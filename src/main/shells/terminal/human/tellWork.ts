// What the work itself says to a person: the run, its lead, the tools, the subagents. Noise stays silent.
// Foreign text goes through `look.line` or `plainText` before it is an entry.

import type { Json } from "../../../../shared/lib/json.ts";
import { smaller } from "../../../domain/budget.ts";
import type { EventOf, EventType } from "../../../domain/events.ts";
import { moneyWords } from "../../../domain/policy/worstCost.ts";
import type { Usage } from "../../../domain/records.ts";
import { pointerWords } from "../../../domain/projections/pointerWords.ts";
import { optionWords, roleModelWords } from "../../../domain/projections/optionWords.ts";
import { type Detail, type Entry, silent, type Teller } from "./entry.ts";
import { countOf, countWords, durationWords, limitWords, sliceWords, shortCommit, tokenWords } from "./figures.ts";
import type { Look } from "./look.ts";
import { firstLine, lastLine, plainText } from "./plainText.ts";
import { landingOf, runStatusWords } from "./words.ts";

/** What a template's graph comes to, before any of it starts. */
function templateFacts({ template, budget: limit }: EventOf<"run.created">["data"]): readonly Detail[] {
  if (template === undefined) return [];
  const { name, width, count, budget } = template;
  const money = moneyWords(smaller(budget.costMicros, limit.costMicros), limit);
  const steps = budget.steps === null ? "" : countOf(budget.steps, "step");
  const most = [steps, money].filter((one) => one !== "").map((one) => `at most ${one}`);
  return [
    { kind: "facts", parts: [`template ${name}`, countOf(count, "subagent"), `at most ${width} at once`, ...most] },
  ];
}

export const runTellers = {
  "run.created": ({ run, data }, _snapshot, look): Entry => ({
    glyph: "working",
    tone: "green",
    head: `Run ${look.line(run)}`,
    text: look.line(data.title),
    details: [
      { kind: "fact", text: look.line(data.repo) },
      {
        kind: "facts",
        parts: [
          `${look.line(data.baseBranch ?? "detached")} ${shortCommit(data.base)} ${look.signs.arrow} ${look.line(data.target)}`,
          `model ${look.line(data.options.model)}`,
          ...roleModelWords(data.options).map((words) => look.line(words)),
          `approve ${data.options.approve}`,
        ],
      },
      ...templateFacts(data),
    ],
  }),
  "run.started": silent,
  "run.waiting": ({ data }, _snapshot, look) => ({
    glyph: "needs-you",
    tone: "amber",
    head: `Run waits for ${look.line(data.for)}`,
  }),
  "run.paused": ({ data }) => ({
    glyph: "waiting",
    head: data.after === undefined ? "Run paused" : "Run recovered, and paused",
  }),
  "run.forked": ({ data }, _snapshot, look) => ({
    head: "Run forked",
    text: look.line(`from ${data.origin} at event ${data.at}`),
  }),
  "payload.erased": ({ data }, _snapshot, look) => ({ head: "Data erased", text: look.line(data.reason) }),
  "repository.moved": ({ data }, _snapshot, look) => ({
    head: "Repository moved",
    text: look.line(`to ${data.repository.topLevel}`),
  }),
  "run.renamed": ({ data }, _snapshot, look) => ({ head: "Run renamed", text: look.line(data.title) }),
  "run.resumed": ({ data }) => ({
    glyph: "working",
    tone: "green",
    head: "Run goes on",
    text: resumeWords[data.after],
  }),
  "run.interrupted": ({ data }, _snapshot, look) => ({
    glyph: "needs-you",
    tone: "amber",
    head: "Run interrupted",
    text: look.line(data.reason),
  }),
  "run.ending": ({ data }, _snapshot, look) =>
    data.reason === "final_answer"
      ? null
      : {
          tone: data.reason === "cancelled" ? "plain" : "red",
          ...endWords("Run ends", { ...data, sentence: data.sentence ?? data.reason.replaceAll("_", " ") }, look),
        },
  "run.stopped": ({ data }, _snapshot, look) => {
    const { word, tone } = runStatusWords({ status: "stopped", stopReason: data.reason });
    const glyph = data.reason === "final_answer" ? "done" : data.reason === "cancelled" ? "stopped" : "failed";
    return { glyph, tone, ...endWords(`Run ${word.charAt(0).toLowerCase()}${word.slice(1)}`, data, look) };
  },
  "input.received": ({ data }, _snapshot, look) => ({
    head: `Message from ${look.line(data.from)} to ${data.to}`,
    text: plainText(data.text).trim(),
  }),
  "plan.updated": ({ data }) => ({
    head: "Plan",
    text: `${countOf(data.steps.length, "step")}, ${data.steps.filter(({ status }) => status === "done").length} done`,
  }),
  "note.added": ({ data }, _snapshot, look) => ({
    head:
      data.by === undefined
        ? `Notes a ${look.line(data.kind)}`
        : `Noted by ${look.line(data.by)}: ${look.line(data.kind)}`,
    tone: "dim",
    text: look.line(data.text),
    textTone: "dim",
  }),
  "note.retracted": ({ data }, _snapshot, look) => ({
    head: "Note taken back",
    tone: "dim",
    text: `#${data.note}, by ${look.line(data.by)}`,
    textTone: "dim",
  }),
  "command.answered": silent,
  "options.set": ({ data }, _snapshot, look) => ({
    agent: "lead",
    head: "Options",
    text: look.line(optionWords(data).join(", ")),
    details: [{ kind: "fact", text: `set by ${look.line(data.by)}` }],
  }),
  "budget.set": ({ data }, _snapshot, look) => ({
    agent: "lead",
    head: "Budget",
    text: limitWords(data.limit)
      .map((part) => look.line(part))
      .join(", "),
    details: [...sliceWords(data.slices), `set by ${data.by}`].map((text) => ({ kind: "fact", text: look.line(text) })),
  }),
  "usage.doubted": ({ data: { model, told, estimated } }, _snapshot, look) => ({
    agent: "lead",
    head: "Usage",
    tone: "red",
    text: look.line(`the server of ${model} told ${countWords(told)} of about ${countWords(estimated)} input tokens`),
    details: [{ kind: "fact", text: "from here on its input is charged as it is estimated" }],
  }),
  "budget.warned": ({ data }, _snapshot, look) => ({
    agent: data.agent,
    head: "Budget",
    tone: "red",
    text: `${look.line(data.balance)} ${countWords(data.used)} of ${countWords(data.limit)} used`,
  }),
  "budget.exhausted": ({ data }, _snapshot, look) => ({
    agent: data.agent,
    glyph: "failed",
    tone: "red",
    head: "Budget exhausted",
    text: look.line(data.balance),
  }),
} satisfies Tellers;

export const modelTellers = {
  "model.requested": silent,
  // A subagent's own words are in its transcript; what it hands back is told by its result.
  "model.completed": ({ agent, data }) =>
    agent !== "lead" || data.purpose === "summary" || data.text.trim() === ""
      ? null
      : { head: "", text: plainText(data.text).trim() },
  "model.failed": ({ data }, _snapshot, look) => ({
    tone: "red",
    head: `Model request failed, ${look.line(data.code)}`,
    text: firstLine(data.message),
  }),
  "model.lost": silent,
  "model.retried": ({ data }, _snapshot, look) => ({
    tone: "dim",
    head: `Asks again in ${durationWords(data.waitMs)}`,
    text: `attempt ${data.attempt}, ${look.line(data.reason)}`,
    textTone: "dim",
  }),
  "context.compacted": ({ data }) =>
    data.upTo === undefined
      ? null
      : {
          tone: "dim",
          head: "Summed up its conversation",
          text: `${tokenWords(data.from)} became ${tokenWords(data.to)}`,
          textTone: "dim",
        },
  "tool.refused": ({ data }, _snapshot, look) => ({
    tone: "red",
    head: `${look.line(data.tool)} refused, ${look.line(data.code)}`,
    text: firstLine(data.message),
  }),
  "tool.dispatched": ({ data }, _snapshot, look) => ({
    head: "",
    text: look.line(`${data.tool} ${subjectOf(data.input)}`),
    textTone: "dim",
  }),
  "tool.settled": ({ data }, _snapshot, look) => {
    const exit = typeof data.exitCode === "number" && data.exitCode !== 0 ? `exit ${data.exitCode}` : "";
    if (exit === "" && (data.outcome === "executed" || data.outcome === "reconciled")) return null;
    const outcome = exit === "" ? data.outcome.replace("_", " ") : exit;
    const code = data.code === undefined ? "" : `, ${look.line(data.code)}`;
    // A command that ends with another code than 0 is an answer, not a failure of the tool.
    return {
      tone: exit === "" ? "red" : "plain",
      head: `${look.line(data.tool)} ${outcome}${code}`,
      text: look.facts([durationWords(data.durationMs), lastLine(data.output)]),
      textTone: "dim",
    };
  },
  "tool.answered": silent,
} satisfies Tellers;

export const subagentTellers = {
  "handoff.recorded": ({ data }, _snapshot, look) => ({
    agent: data.subagent,
    glyph: "queued",
    head: data.packet.replaces === undefined ? "Handed over" : `Handed over, replaces ${data.packet.replaces}`,
    text: look.line(data.title),
    details: [...(data.reason === undefined ? [] : [data.reason]), ...data.warnings].map(
      (text) => ({ kind: "fact", text: look.line(text) }) as const,
    ),
  }),
  "slice.renewed": silent,
  "handoff.refused": ({ data }, _snapshot, look) => ({
    tone: "red",
    head: `Spawn refused, ${look.line(data.code)}`,
    text: look.line(data.sentence),
    details: [{ kind: "fact", text: firstLine(data.task) }],
  }),
  "policy.judged": silent,
  "subagent.queued": ({ data }, _snapshot, look) =>
    data.code === "READY"
      ? null
      : data.code === "DEPENDENCY"
        ? { glyph: "waiting", head: "", text: look.line(data.sentence) }
        : { glyph: "queued", head: "Queued", text: look.line(data.sentence) },
  "subagent.started": () => ({ glyph: "working", tone: "green", head: "Started" }),
  // What it asks a person has a line of its own, with the command that decides it.
  "subagent.waiting": ({ data }, _snapshot, look) =>
    data.for === "person"
      ? null
      : { glyph: "waiting", head: "Asks the lead", text: look.line(data.question ?? "for more context") },
  "subagent.resumed": ({ data }) => ({
    glyph: "working",
    tone: "green",
    head: "Goes on",
    text: resumeWords[data.after],
  }),
  "subagent.checked": ({ data }, _snapshot, look) =>
    data.verdict === "progressing"
      ? null
      : {
          tone: data.verdict === "blocked" ? "plain" : "red",
          head: capitalised(data.verdict),
          text: look.line(data.reason),
        },
  "subagent.messaged": ({ data }, _snapshot, look) => ({
    head: data.from === undefined ? "Is told" : `Is told by ${data.from}`,
    text: look.line(data.text),
  }),
  "subagent.result": ({ data }) => {
    const found = data.evidence.filter(({ mark }) => mark === "found").length;
    const evidence = data.evidence.length === 0 ? "" : `${found} of ${countOf(data.evidence.length, "source")} found`;
    const concerns = data.result.status === "done" ? "" : data.result.status.replaceAll("_", " ");
    const parts = [
      concerns,
      evidence,
      `uncertainty ${data.result.uncertainty}`,
      data.schema === "ok" ? "" : data.schema,
    ];
    return { head: "Result", text: firstLine(data.result.answer), details: [{ kind: "facts", parts }] };
  },
  "subagent.repair": ({ data }, _snapshot, look) => ({
    tone: "dim",
    head: "Result sent back",
    text: look.line(data.errors[0] ?? "it does not fit its schema"),
    textTone: "dim",
  }),
  "subagent.stopped": ({ agent, data }, snapshot, look) => {
    switch (data.status) {
      case "completed":
        // Its landing has a line of its own.
        return landingOf(snapshot, agent) === undefined
          ? { glyph: "done", head: "Done", text: look.line(data.sentence ?? "") }
          : null;
      case "cancelled":
        return { glyph: "stopped", tone: "dim", ...endWords("Stopped", data, look) };
      case "failed":
        return data.code === "REJECTED"
          ? { glyph: "failed", tone: "red", head: "Rejected", text: look.line(data.sentence ?? "") }
          : { glyph: "failed", tone: "red", ...endWords("Failed", data, look) };
    }
  },
  "subagent.settled": silent,
  "worktree.created": silent,
  "worktree.provisioned": ({ data }, _snapshot, look) => {
    if (data.command === undefined)
      return data.pointers === undefined ? null : { head: "Git LFS", text: pointerWords(data.pointers) };
    const { exitCode = null, outcome = "exited", output = "" } = data;
    const end = exitCode === null ? outcome.replace("_", " ") : `exit ${exitCode}`;
    return {
      ...(exitCode === 0 ? {} : { tone: "red" }),
      head: exitCode === 0 ? "Set up" : "Set-up failed",
      text: look.facts([look.line(data.command), end, durationWords(data.durationMs)]),
      details: exitCode === 0 ? [] : [{ kind: "facts", parts: [output.trimEnd().split("\n").at(-1) ?? ""] }],
    };
  },
  "worktree.pinned": ({ data }, _snapshot, look) => ({
    head: "Work kept",
    text: `${look.line(data.ref)}, ${look.line(data.reason)}`,
  }),
  "worktree.removed": silent,
  "worktree.rebased": ({ data: { root, conflicts } }, _snapshot, look) => ({
    head: "Target brought in",
    text: look.facts([
      shortCommit(root),
      conflicts.length === 0 ? "nothing in conflict" : `to resolve: ${look.line(conflicts.join(", "))}`,
    ]),
  }),
} satisfies Tellers;

type Tellers = { readonly [T in EventType]?: Teller<T> };

const resumeWords = {
  waiting: "nothing waits for you any more",
  paused: "after its pause",
  crash: "after a crash",
  input: "with your message",
  context: "with the answer of the lead",
  person: "with your decision",
  verification: "after its checks failed",
  review: "after your review",
} as const;

/** `12 k tokens in, 3.1 k out, 9.0 k from cache`. */
export function usageWords({ inputTokens, outputTokens, cachedTokens }: Usage): string {
  const cached = cachedTokens === 0 ? "" : `, ${countWords(cachedTokens)} from cache`;
  return `${countWords(inputTokens)} tokens in, ${countWords(outputTokens)} out${cached}`;
}

/** What a tool call is about: its path, command or query, or the first of several. */
export function subjectOf(input: Json): string {
  if (typeof input !== "object" || input === null || isList(input)) return "";
  for (const name of ["path", "command", "query", "symbol", "glob"]) {
    const value = input[name];
    if (typeof value === "string") return firstLine(value);
  }
  const { changes } = input;
  if (!isList(changes)) return "";
  const [first] = changes;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : "";
  return first === undefined ? "" : subjectOf(first) + more;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** `Failed, CODE: sentence`, or what there is of it. */
function endWords(
  word: string,
  { code, sentence }: { readonly code?: string; readonly sentence?: string },
  look: Look,
): Pick<Entry, "head" | "text"> {
  return { head: code === undefined ? word : `${word}, ${look.line(code)}`, text: look.line(sentence ?? "") };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
