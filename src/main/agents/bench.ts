// What an agent works with: its tools by name, and what they are bound to. Built once for each drive of an agent.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { CommandPort, SandboxReport } from "../engine/ports/command.ts";
import type { GitPort, WorkPlace } from "../engine/ports/git.ts";
import type { ToolOffer } from "../engine/ports/model.ts";
import type { RulePort } from "../engine/ports/rules.ts";
import { isAlone, mayLeadEdit } from "../domain/leadWork.ts";
import { isGrouped, maySee } from "../domain/policy/groups.ts";
import { findChangeSet, findNode, type NodeState, type RunState } from "../domain/state.ts";
import { editingTools, leadTools } from "./roles.ts";
import { controlTools, isControlTool, spawnWithoutGroups, submitResult } from "./tools/control.ts";
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
const spawnOffer = offerOf(spawnWithoutGroups);
const peerOffer = offerOf(controlTools.messagePeer);
const submitOffer = offerOf(submitResult);
const noteOffer = offerOf(controlTools.note);
const offersByTool = new Map(workTools.map((tool) => [tool.name, offerOf(tool)]));

/** What is left to a lead that delegates to nobody. */
const soloControls: ReadonlySet<string> = new Set([controlTools.askPerson.name, controlTools.note.name]);

/** A coordinator has none: it only sends, waits, plans and asks. */
function leadToolsOf(state: RunState): readonly string[] {
  if (state.options.topology === "coordinator") return [];
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
  const controls = leadControls(seat.state());
  const ownControls = node && isGrouped(seat.state()) ? [noteOffer, peerOffer] : [noteOffer];
  const allowedNames = [
    ...own.map((tool) => tool.name),
    ...(node ? [...ownControls.map(({ name }) => name), submitResult.name] : controls.map(({ name }) => name)),
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
      if (node) return isForced ? [submitOffer] : [...ownOffers, ...ownControls, submitOffer];
      return isForced ? [] : [...controls, ...ownOffers];
    },
    contextFor: (place, signal, onOutput) => contextFor(seat, node, git, commands, place, signal, onOutput),
  };
}

/** Who works on a run with a template is fixed; and only subagents have peers. */
function leadControls(state: RunState): readonly ToolOffer[] {
  if (isAlone(state)) return controlOffers.filter(({ name }) => soloControls.has(name));
  return controlOffers.flatMap((offer) => {
    if (offer.name === controlTools.messagePeer.name) return [];
    if (offer.name !== controlTools.spawnSubagent.name) return [offer];
    if (state.template !== null) return [];
    return [isGrouped(state) ? offer : spawnOffer];
  });
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
      const reader = findNode(now, seat.agent);
      if (subagent === undefined) return findChangeSet(now, reader?.reads ?? null) ?? null;
      // What another group makes is not for this one to read.
      if (reader !== undefined && !maySee(now, reader, subagent as AgentId)) return null;
      return findChangeSet(now, findNode(now, subagent as AgentId)?.changeSet ?? null) ?? null;
    },
    signal,
    isHeld: () => seat.isHeld(),
    onOutput,
  };
}
