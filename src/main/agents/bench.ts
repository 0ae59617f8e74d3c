// What an agent works with: its tools by name, and what they are bound to. Built once for each drive of an agent.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { CommandPort, SandboxReport } from "../engine/ports/command.ts";
import type { GitPort, WorkPlace } from "../engine/ports/git.ts";
import type { ToolOffer } from "../engine/ports/model.ts";
import type { RulePort } from "../engine/ports/rules.ts";
import { isAlone, mayLeadEdit } from "../domain/leadWork.ts";
import { findChangeSet, findNode, type NodeState, type RunState } from "../domain/state.ts";
import { editingTools, leadTools } from "./roles.ts";
import { controlTools, isControlTool, submitResult } from "./tools/control.ts";
import { offerOf, workTools } from "./tools/registry.ts";
import type { Tool, ToolContext } from "./tools/tool.ts";

export interface Bench {
  readonly sandbox: SandboxReport;
  readonly trustsCommands: boolean;
  readonly rules: RulePort;
  /** Working tools of this agent, by name. */
  findTool(name: string): Tool | undefined;
  /** Whether a tool of that name exists for anybody. */
  isKnown(name: string): boolean;
  /** Whether this agent has it, control tools and `submitResult` included. */
  isAllowed(name: string): boolean;
  readonly allowedNames: readonly string[];
  /** All that is offered in a turn; a forced turn offers `submitResult` only, to a lead nothing. */
  offers(isForced: boolean): readonly ToolOffer[];
  contextFor(place: WorkPlace, signal: AbortSignal, onOutput: (text: string) => void): ToolContext;
}

export interface BenchDeps {
  readonly git: GitPort;
  readonly commands: CommandPort;
  readonly trustsCommands: boolean;
  readonly rules: RulePort;
}

const controlOffers: readonly ToolOffer[] = Object.values(controlTools).map(offerOf);
const submitOffer = offerOf(submitResult);
const noteOffer = offerOf(controlTools.note);
const offersByTool = new Map(workTools.map((tool) => [tool.name, offerOf(tool)]));

/** What is left to a lead that delegates to nobody. */
const soloControls: ReadonlySet<string> = new Set([controlTools.askPerson.name, controlTools.note.name]);

function leadToolsOf(state: RunState): readonly string[] {
  return mayLeadEdit(state) ? [...leadTools, ...editingTools] : leadTools;
}

/** Sets up the tools of the agent in this seat. */
export function setUpBench(seat: Seat, deps: BenchDeps, sandbox: SandboxReport): Bench {
  const { git, commands, trustsCommands, rules } = deps;
  const node = findNode(seat.state(), seat.agent);
  const own = workTools.filter((tool) =>
    (node ? node.packet.allowedTools : leadToolsOf(seat.state())).includes(tool.name),
  );
  const ownOffers = own.flatMap((tool) => offersByTool.get(tool.name) ?? []);
  // Who works on a run with a template is fixed.
  const controls = controlOffers.filter(({ name }) =>
    isAlone(seat.state()) ? soloControls.has(name) : name !== "spawnSubagent" || seat.state().template === null,
  );
  const allowedNames = [
    ...own.map((tool) => tool.name),
    ...(node ? [controlTools.note.name, submitResult.name] : controls.map(({ name }) => name)),
  ];
  return {
    sandbox,
    trustsCommands,
    rules,
    findTool: (name) => own.find((tool) => tool.name === name),
    isKnown: (name) =>
      workTools.some((tool) => tool.name === name) || isControlTool(name) || name === submitResult.name,
    isAllowed: (name) => allowedNames.includes(name),
    allowedNames,
    offers: (isForced) => {
      if (node) return isForced ? [submitOffer] : [...ownOffers, noteOffer, submitOffer];
      return isForced ? [] : [...controls, ...ownOffers];
    },
    contextFor: (place, signal, onOutput) => contextFor(seat, node, git, commands, place, signal, onOutput),
  };
}

function contextFor(
  seat: Seat,
  node: NodeState | undefined,
  git: GitPort,
  commands: CommandPort,
  place: WorkPlace,
  signal: AbortSignal,
  onOutput: (text: string) => void,
): ToolContext {
  const state = seat.state();
  const seen = findNode(state, seat.agent)?.seen ?? state.lead.seen;
  return {
    agent: seat.agent,
    place,
    repo: state.repo,
    git,
    commands,
    claim: node?.packet.paths ?? null,
    seen: new Map(Object.entries(seen)),
    network: state.options.network,
    privateHome: seat.privateHome,
    objectFolder: seat.objectFolder,
    hidden: seat.hidden,
    tag: state.run,
    findChangeSet: (subagent) => {
      const now = seat.state();
      const wanted =
        subagent === undefined
          ? (findNode(now, seat.agent)?.reads ?? null)
          : (findNode(now, subagent as AgentId)?.changeSet ?? null);
      return findChangeSet(now, wanted) ?? null;
    },
    signal,
    isHeld: () => seat.isHeld(),
    onOutput,
  };
}
