// Builds runs for tests of the core: creates one, applies commands through `transact`, keeps the journal. No engine,
// no clock: time moves by a second with each command unless told otherwise.

import type { AgentId, ChangeSetId, Oid, RunId, SubagentId } from "../../src/shared/contract/ids.ts";
import { type Balances, defaultLimits, type Limits, type RunOptions } from "../../src/shared/contract/options.ts";
import type { Template, TemplateFigures } from "../../src/shared/contract/template.ts";
import type { Command, ControlCall, Facts, Rejection, SpawnArguments } from "../../src/main/domain/commands.ts";
import { transact } from "../../src/main/domain/decide.ts";
import type { EventOf, EventType, RunEvent } from "../../src/main/domain/events.ts";
import type { EffectRank, FileChange, SubagentResult, ToolCall, Usage } from "../../src/main/domain/records.ts";
import { fold } from "../../src/main/domain/evolve.ts";
import type { OwnRole, RoleSpec, RoleTable } from "../../src/main/domain/roles.ts";
import { type NodeState, requireAgent, requireNode, type RunState } from "../../src/main/domain/state.ts";

const readers = ["listFiles", "readFile", "searchText"];
export const unlimited: Balances = {
  steps: null,
  toolCalls: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
};
export const smallEstimate: Balances<number> = {
  steps: 1,
  toolCalls: 0,
  inputTokens: 10,
  outputTokens: 10,
  costMicros: 5,
};

function role(
  name: string,
  tools: readonly string[],
  ceiling: EffectRank,
  steps: number,
  readsProposals = false,
): RoleSpec {
  return {
    name,
    tools,
    ceiling,
    steps,
    budget: { ...unlimited, steps, toolCalls: steps * 4 },
    proposes: tools.includes("applyEdit"),
    readsProposals,
  };
}

/** The five built-in roles, as the core sees them. */
export const roles: RoleTable = {
  explorer: role("explorer", readers, "read", 25),
  reviewer: role("reviewer", [...readers, "readChangeSet"], "read", 25, true),
  planner: role("planner", readers, "read", 20),
  verifier: role("verifier", [...readers, "runCommand"], "execute", 25, true),
  executor: role("executor", [...readers, "applyEdit", "runCommand"], "execute", 40),
};

/** A role that a file of the repository brings. */
export function fileRole(name: string, more: Partial<OwnRole> = {}): OwnRole {
  return {
    name,
    about: "Looks at migrations",
    path: `.coppice/roles/${name}.md`,
    hash: oid(7),
    instructions: "Look.",
    tools: ["readFile"],
    ceiling: "read",
    steps: 7,
    budget: { ...unlimited, steps: 7 },
    proposes: false,
    readsProposals: false,
    ...more,
  };
}

export interface StoryOptions {
  readonly run?: RunId;
  readonly title?: string;
  /** When it begins, epoch ms. */
  readonly now?: number;
  readonly options?: Partial<RunOptions>;
  readonly limits?: Partial<Limits>;
  readonly budget?: Partial<Balances>;
  readonly wallMs?: number;
  readonly task?: string;
  /** Of the run's model, micros a million tokens; without, it is not known. */
  readonly price?: RunState["price"];
  /** Roles that files of the repository bring. */
  readonly roles?: readonly OwnRole[];
  readonly template?: (Template & TemplateFigures) | undefined;
}

export function oid(digit: number | string): Oid {
  return String(digit).padStart(40, "0") as Oid;
}

/** A change of one file with as many hunks as asked. */
export function fileChange(path: string, hunks = 1, asks?: FileChange["asks"]): FileChange {
  return {
    path,
    change: "modified",
    added: hunks,
    removed: 0,
    hunks: Array.from({ length: hunks }, (_, index) => ({
      number: index + 1,
      oldStart: index,
      oldLines: 0,
      newStart: index + 1,
      newLines: 1,
    })),
    ...(asks === undefined ? {} : { asks }),
  };
}

export function resultOf(status: SubagentResult["status"], answer = "It is so."): SubagentResult {
  return { status, answer, evidence: [], uncertainty: "low", followups: [] };
}

export function toolCall(id: string, name: string, input: unknown = {}): ToolCall {
  return { id, name, arguments: JSON.stringify(input) };
}

/** A run under test. `apply` refuses nothing; the verbs throw on a refusal, since a story goes as it is told. */
export class Story {
  readonly run: RunId;
  readonly events: RunEvent[] = [];
  now: number;
  /** Whether the process that commands go through drives the run. */
  isDriving = true;
  capacity: Facts["capacity"] = { runningElsewhere: 0, runningElsewhereByModel: {} };
  /** Of models that the lead may name; of any other it is not known. */
  prices: Readonly<Record<string, RunState["price"]>> = {};
  /** Of the process that commands go through; `null`: the run's, as it last was. */
  epoch: number | null = null;
  #state: RunState | null = null;
  #callCount = 0;

  constructor({ run = "r1" as RunId, now = 1_000, title, options, limits, ...more }: StoryOptions = {}) {
    const { budget, wallMs, price, template, task, roles: own } = more;
    this.run = run;
    this.now = now;
    this.must({
      type: "run.create",
      run: this.run,
      data: {
        task: task ?? "Find out why payments are charged twice.",
        title: title ?? "Find out why payments are charged twice.",
        repo: "/repo",
        repository: { topLevel: "/repo", commonDir: "/repo/.git", rootCommit: oid(1) },
        base: oid(2),
        baseBranch: "main",
        target: `coppice/pay-${run}`,
        targetRef: `refs/heads/coppice/pay-${run}`,
        ...(options?.approve === "final" ? { finalTarget: { branch: "main", ref: "refs/heads/main" } } : {}),
        options: {
          model: "m",
          baseUrl: "http://127.0.0.1",
          approve: "each",
          commands: "ask",
          network: "off",
          isAttended: false,
          landOn: { kind: "run-branch" },
          worktrees: "on",
          verify: [],
          ...options,
        },
        limits: { ...defaultLimits, ...limits },
        budget: { ...unlimited, ...budget },
        wallMs: wallMs ?? null,
        price: price ?? null,
        ...(own === undefined ? {} : { roles: own }),
        ...(template === undefined ? {} : { template }),
      },
    });
  }

  /** Goes on with a journal that was told elsewhere, such as a fork's. */
  static from(events: readonly RunEvent[], now: number): Story {
    const story = new Story();
    story.events.splice(0, Infinity, ...events);
    story.#state = fold(events);
    story.now = now;
    return story;
  }

  get state(): RunState {
    if (!this.#state) throw new Error("The story has not begun");
    return this.#state;
  }

  facts(): Facts {
    return {
      now: this.now,
      roles,
      capacity: this.capacity,
      placesFolder: "/places",
      epoch: this.epoch ?? this.#state?.epoch ?? 1,
      isDriving: this.isDriving,
      hash: (text) => `${text.length}`,
      priceOf: (model) => this.prices[model] ?? null,
    };
  }

  /** One command as one transaction: its events, or why it was refused. Refused commands change nothing. */
  apply(command: Command): readonly RunEvent[] | { readonly rejection: Rejection } {
    this.now += 1_000;
    const outcome = transact(
      this.#state,
      command,
      this.facts(),
      (run) => this.events.findLast((event) => event.run === run)?.seq ?? 0,
    );
    if ("rejection" in outcome) return outcome;
    this.events.push(...outcome.events);
    this.#state = outcome.state;
    return outcome.events;
  }

  must(command: Command): readonly RunEvent[] {
    const outcome = this.apply(command);
    if ("rejection" in outcome)
      throw new Error(`${command.type} was refused: ${outcome.rejection.code} ${outcome.rejection.sentence}`);
    return outcome;
  }

  start(): this {
    this.must({ type: "run.start", epoch: 1 });
    return this;
  }

  node(id: SubagentId): NodeState {
    return requireNode(this.state, id);
  }

  statuses(): readonly string[] {
    return this.state.nodes.map((node) => node.status);
  }

  ofType<T extends EventType>(type: T): readonly EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  request(agent: AgentId, more: Partial<Extract<Command, { type: "agent.request" }>> = {}): string {
    this.must({
      type: "agent.request",
      agent,
      model: "m",
      estimate: smallEstimate,
      isCostKnown: true,
      isForced: false,
      ...more,
    });
    return requireAgent(this.state, agent).request?.id ?? "";
  }

  /** One whole turn: a request and its answer. */
  turn(
    agent: AgentId,
    said: {
      readonly text?: string;
      readonly calls?: readonly ToolCall[];
      readonly usage?: Usage;
      readonly isForced?: boolean;
    } = {},
  ): void {
    const request = this.request(agent, { isForced: said.isForced ?? false });
    const { text = "", calls = [], usage = null } = said;
    this.must({
      type: "agent.complete",
      agent,
      request,
      text,
      reasoning: "",
      toolCalls: calls,
      finish: calls.length > 0 ? "tool_calls" : "stop",
      usage,
      costMicros: null,
    });
  }

  speak(text = "That is all."): void {
    this.turn("lead", { text });
  }

  /** The lead calls one control tool in a turn of its own; the answer, parsed, or `null` while there is none. */
  control(control: ControlCall, agent: AgentId = "lead"): unknown {
    const id = `call-${++this.#callCount}`;
    this.turn(agent, { calls: [toolCall(id, control.tool, control.input)] });
    return this.ask(id, control, agent);
  }

  /** Asks an open control call (again). */
  ask(call: string, control: ControlCall, agent: AgentId = "lead"): unknown {
    this.must({ type: "agent.control", agent, call, control });
    const answer = this.ofType("tool.answered").findLast((event) => event.agent === agent && event.data.call === call);
    return answer === undefined ? null : (JSON.parse(answer.data.output) as unknown);
  }

  /** Spawns and expects to succeed. */
  spawn(input: Partial<SpawnArguments> = {}): SubagentId {
    const answer = this.control({ tool: "spawnSubagent", input: { task: "Look at pay.js.", ...input } }) as {
      subagentId?: SubagentId;
    };
    if (answer.subagentId === undefined) throw new Error(`The spawn was refused: ${JSON.stringify(answer)}`);
    return answer.subagentId;
  }

  /** Spawns and expects a refusal. */
  refusedSpawn(input: Partial<SpawnArguments>): { readonly code: string; readonly message: string } {
    const answer = this.control({ tool: "spawnSubagent", input: { task: "Look at pay.js.", ...input } }) as {
      error?: { code: string; message: string };
    };
    if (answer.error === undefined) throw new Error(`The spawn was accepted: ${JSON.stringify(answer)}`);
    return answer.error;
  }

  /** The subagent hands in its result in a turn of its own. */
  submit(agent: SubagentId, status: SubagentResult["status"] = "done", answer?: string): void {
    const id = `call-${++this.#callCount}`;
    this.turn(agent, { calls: [toolCall(id, "submitResult")] });
    this.must({ type: "agent.submit", agent, call: id, result: resultOf(status, answer), schema: "ok", marks: [] });
  }

  /** The subagent hands in verdicts, with nothing else to say. */
  judge(agent: SubagentId, verdicts: SubagentResult["verdicts"] & object): void {
    const id = `call-${++this.#callCount}`;
    this.turn(agent, { calls: [toolCall(id, "submitResult")] });
    const result = { ...resultOf("done"), verdicts };
    this.must({ type: "agent.submit", agent, call: id, result, schema: "ok", marks: [] });
  }

  settle(agent: SubagentId): void {
    this.must({ type: "node.settle", agent, childHead: "" });
  }

  /** A reader does its work and is settled. */
  complete(agent: SubagentId): void {
    this.submit(agent);
    this.settle(agent);
  }

  fail(agent: SubagentId, code = "STALLED"): void {
    this.must({ type: "agent.fail", agent, code, sentence: "It stopped." });
  }

  propose(agent: SubagentId, files: readonly FileChange[] = [fileChange("pay.js")]): ChangeSetId {
    const number = this.node(agent).changeSetCount + 1;
    this.must({
      type: "changeset.propose",
      agent,
      base: oid(2),
      commit: oid(100 + number),
      tree: oid(200 + number),
      ref: `refs/coppice/${this.run}/${agent}/${number}`,
      files,
    });
    return `${agent}.${number}` as ChangeSetId;
  }

  verify(agent: SubagentId, exitCode: number, command = "npm test"): void {
    const changeset = this.node(agent).changeSet;
    if (changeset === null) throw new Error(`${agent} has proposed nothing`);
    this.must({
      type: "verification.record",
      agent,
      run: { changeset, command, exitCode, tree: oid(200), durationMs: 5, output: "…", outcome: "exited" },
    });
  }

  close(agent: SubagentId): void {
    this.must({ type: "verification.close", agent });
  }

  /** An executor hands in, proposes and reaches its review. */
  review(agent: SubagentId, files?: readonly FileChange[]): ChangeSetId {
    this.submit(agent);
    const changeset = this.propose(agent, files);
    this.close(agent);
    return changeset;
  }

  /** Decides the open approval of `agent`. */
  decide(agent: AgentId, decision: "approved" | "rejected" | "sent_back", comment?: string): void {
    const approval = this.state.approvals.find((one) => one.agent === agent && one.status === "open");
    if (!approval) throw new Error(`${agent} asks for nothing`);
    this.must({
      type: "approval.decide",
      approval: approval.id,
      decision,
      by: "a person",
      ...(comment === undefined ? {} : { comment }),
    });
  }

  land(changeset: ChangeSetId): void {
    this.must({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) });
    this.must({ type: "landing.finish", changeset, commit: oid(300), files: ["pay.js"] });
  }
}
