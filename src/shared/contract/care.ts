// What a viewer asks of the application as a whole, no run in particular: pages about this machine, and commands that
// look after settings, keys, rules and data.

import type { AgentId, ApprovalId, ChangeSetId, RunId } from "./ids.ts";
import type { RulePreset } from "./policy.ts";
import type { RepositoryCommands } from "./repositoryCommands.ts";
import type { SettingsChanges } from "./settings.ts";
import type { TemplateChoice } from "./template.ts";
import type { KeptLine, WorktreeAct, WorktreesPage } from "./worktrees.ts";

export type CareCommand =
  /** Each part that is named replaces what was set. */
  | { readonly type: "changeSettings"; readonly changes: SettingsChanges }
  /** Into the keychain, under the provider's id. The key is in nothing that is stored or shown. */
  | { readonly type: "keepKey"; readonly provider: string; readonly key: string }
  | { readonly type: "forgetKey"; readonly provider: string }
  /** Takes back what was allowed for a repository for good. `line`: as the page `rules` has it. */
  | { readonly type: "forgetRule"; readonly repository: string; readonly line: string }
  /** Has the commands that the repository brings run from now on. `hash`: as the page `repository` has it, so that just what was shown is trusted. */
  | { readonly type: "trustCommands"; readonly folder: string; readonly hash: string }
  /** `repository`, `hash`: as the page `rules` has them. */
  | { readonly type: "forgetTrust"; readonly repository: string; readonly hash: string }
  /** Removes what nobody can need any more, and finished runs past their time. */
  | { readonly type: "cleanUp" }
  /** Does about a worktree what the page `worktrees` offers for it, unless it stands otherwise by now. */
  | { readonly type: "mendWorktree"; readonly path: string; readonly act: WorktreeAct }
  /** Backs up all runs; it counts once it is proved whole. */
  | { readonly type: "backUp" }
  /** Writes a run into a `.coppice` file; one that is there is replaced. `file` is absolute, on the machine that Coppice runs on. */
  | { readonly type: "exportRun"; readonly run: RunId; readonly file: string }
  /** Brings a run in from such a file, to look at and replay. */
  | { readonly type: "importRun"; readonly file: string };

export type CareCommandType = CareCommand["type"];
export const careCommandTypes = [
  "changeSettings",
  "keepKey",
  "forgetKey",
  "forgetRule",
  "trustCommands",
  "forgetTrust",
  "cleanUp",
  "mendWorktree",
  "backUp",
  "exportRun",
  "importRun",
] as const satisfies readonly CareCommandType[];

/** The command is done, all of it. `said`: what came of it, in words, where there is something to say. */
export interface CareReceipt {
  readonly commandId: string;
  readonly said: string | null;
}

/** A model that was found, with what is known of it. Price in micros a million tokens. */
export interface FoundModel {
  readonly name: string;
  readonly contextTokens: number | null;
  readonly price: { readonly input: number; readonly output: number } | null;
}

/** What the live test of a model saw. */
export interface ModelTest {
  readonly answered: boolean;
  /** Until its whole answer had come, ms. */
  readonly answeredMs: number;
  readonly callsTools: boolean;
  readonly contextTokens: number | null;
  /** Why it does not do, and what to try; `null` where it does. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** A server to ask. The key is that of `key`, or of the settings' provider at this address, or of the environment. */
export interface ServerQuery {
  readonly baseUrl: string;
  /** Typed and not kept: only for this request. */
  readonly key?: string;
}

/** What a repository sets of its own, in `.coppice/config.json` of the commit; nothing where there is none. */
export interface RepositoryConfiguration {
  readonly commands: RepositoryCommands;
  /** Names the commands where they are trusted. */
  readonly hash: string;
  readonly isTrusted: boolean;
  /** What keeps them from harm on this machine, in a sentence. */
  readonly confinement: string;
  /** What it bounds of a run's budget, where that is lower than what the settings say. */
  readonly ceilings: { readonly steps?: number; readonly costMicros?: number; readonly wallMs?: number };
  /** Why the file cannot be used, in words: no run begins here before it is mended. `null`: it can. */
  readonly problem: string | null;
}

/** A repository as a new run would find it. */
export interface RepositoryPage {
  readonly folder: string;
  /** Short name; `null` on a detached HEAD. */
  readonly branch: string | null;
  readonly head: string;
  /** First line of the commit's message. */
  readonly subject: string;
  readonly dirtyCount: number;
  /** The first hundred. */
  readonly dirty: readonly string[];
  /** Lock files at its top, each with the command that installs from it. */
  readonly locks: readonly { readonly path: string; readonly install: string }[];
  /** Commands of its own that look like checks. */
  readonly checks: readonly string[];
  /** What `--policy template:NAME` can name here: the built-in ones, then those of the commit. */
  readonly templates: readonly TemplateChoice[];
  readonly configuration: RepositoryConfiguration;
  /** What runs here have cost, millionths of a US dollar: the middle one of the last ten whose price is known. */
  readonly usualMicros: number | null;
}

export interface SearchHit {
  readonly run: RunId;
  readonly runTitle: string;
  readonly repo: string;
  readonly kind: "title" | "transcript" | "file";
  readonly agent: AgentId;
  /** Ordinal of the event. */
  readonly n: number;
  readonly at: number;
  /** Who or what is found there, in words. */
  readonly where: string;
  /** Text around the find; what matches stands between U+0002 and U+0003. */
  readonly excerpt: string;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** There are more than these. */
  readonly isCut: boolean;
  /** Events that the index has not seen yet; `0`: all was searched. */
  readonly behindCount: number;
}

/** A decision of some run: what was asked, by whom, and what became of it. */
export interface DecidedLine {
  readonly approval: ApprovalId;
  readonly run: RunId;
  readonly runTitle: string;
  readonly kind: string;
  readonly agent: AgentId;
  /** Of the agent that asked; `lead` for the lead. */
  readonly role: string;
  readonly summary: string;
  /** The event that records it. */
  readonly n: number;
  readonly at: number;
  readonly decision: string;
  /** A person, or the mode of the run, such as `policy auto`; empty where it is not known any more. */
  readonly by: string;
  /** How far a yes to a command, or to more budget, reaches: `once`, `run` or `project`. */
  readonly scope: string;
  readonly changeset: ChangeSetId | null;
  /** The commit that the change set has landed as, and that was not taken back. */
  readonly landed: string | null;
}

/** What would happen if an agent asked to run a command, or changed a file. */
export interface RuleTest {
  readonly verdict: "runs" | "asks" | "refused" | "lands" | "reviewed";
  readonly sentence: string;
}

/** What can be met or not of a subagent and what runs beside it. */
export interface PolicyCondition {
  readonly name: string;
  readonly text: string;
}

/** A page that takes no more than its name. */
type Nothing = object;

export interface CareQueries {
  /** Model servers at their usual places on this machine. */
  readonly localServers: Nothing;
  readonly serverModels: ServerQuery;
  readonly modelTest: ServerQuery & { readonly model: string };
  /** What is known without asking anybody. */
  readonly modelFacts: { readonly baseUrl: string; readonly model: string };
  readonly repository: { readonly folder: string };
  /** Paths of a repository that fit what was typed, best first. */
  readonly files: { readonly folder: string; readonly typed: string };
  readonly folders: { readonly typed: string };
  readonly search: { readonly text: string; readonly limit: number };
  /** What was decided in all runs at or after `since`, epoch ms. */
  readonly decided: { readonly since: number };
  readonly rules: Nothing;
  /** Under the settings, in this repository where one is named. */
  readonly commandTest: { readonly line: string; readonly repository: string | null };
  readonly pathTest: { readonly path: string };
  /** What commands of agents find their programs with. */
  readonly commandPath: Nothing;
  /** What confines commands here, tried again where it has not worked so far. */
  readonly sandbox: Nothing;
  /** What a run can go by; with a folder, the templates too that the files of its repository bring. */
  readonly policies: { readonly folder: string | null };
  readonly storage: Nothing;
  readonly worktrees: Nothing;
  /** Of runs in which something has happened in the last 30 days, the newest hundred. */
  readonly keptWork: Nothing;
  readonly backups: Nothing;
  readonly doctor: Nothing;
  readonly runCheck: { readonly run: RunId };
  /** The built-in roles; with a folder, those too that the files of its repository bring. */
  readonly roles: { readonly folder: string | null };
}

/** A role file of a repository: what a run there is offered, or why it is not. */
export interface RoleLine {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly tools: readonly string[];
  readonly steps: number;
  /** Where it names one that the person has set up. */
  readonly model: string | null;
  /** Why it is no role; `null` when it is one. */
  readonly problem: string | null;
  /** What of it does not hold, in sentences. */
  readonly remarks: readonly string[];
}

export interface CareBodies {
  readonly localServers: {
    readonly servers: readonly {
      readonly name: string;
      readonly baseUrl: string;
      readonly models: readonly string[];
    }[];
    /** Who was looked for and did not answer. */
    readonly silent: readonly { readonly name: string; readonly port: number }[];
  };
  readonly serverModels: { readonly models: readonly FoundModel[] };
  readonly modelTest: ModelTest;
  readonly modelFacts: FoundModel;
  readonly repository: RepositoryPage;
  readonly files: { readonly paths: readonly string[] };
  /** Git repositories and folders below what was typed; those used before come first. */
  readonly folders: { readonly folders: readonly { readonly path: string; readonly isRepository: boolean }[] };
  readonly search: SearchPage;
  /** Newest first, the newest hundred; `total` counts all. */
  readonly decided: { readonly decided: readonly DecidedLine[]; readonly total: number };
  readonly rules: {
    readonly repositories: readonly {
      /** Names it in `forgetRule`. */
      readonly repository: string;
      readonly folder: string;
      readonly lines: readonly string[];
    }[];
    readonly protectedPaths: readonly string[];
    /** Commands that repositories bring and that are trusted, oldest first in each. */
    readonly trusted: readonly {
      /** Names it in `forgetTrust`. */
      readonly repository: string;
      readonly folder: string;
      readonly entries: readonly (RepositoryCommands & { readonly hash: string; readonly at: number })[];
    }[];
  };
  readonly commandTest: RuleTest;
  readonly pathTest: RuleTest;
  /** `folders`: of PATH, in its order. `from`: whose it is. `problem`: why the login shell's could not be had, in words. */
  readonly commandPath: {
    readonly folders: readonly string[];
    readonly from: "app" | "login" | "settings";
    readonly problem: string | null;
  };
  readonly worktrees: WorktreesPage;
  /** Newest first, at most a hundred. */
  readonly keptWork: { readonly kept: readonly KeptLine[] };
  /** `missing`: a sentence for each part that cannot be had. Folders are absolute. `hidden`: empty for a command. `scratch`: empty and writable, gone with it. `shown`: read-only, although they lie in a hidden one. */
  readonly sandbox: {
    readonly kind: "bubblewrap" | "seatbelt" | "none";
    readonly isWhole: boolean;
    readonly missing: readonly string[];
    readonly hidden: readonly string[];
    readonly scratch: readonly string[];
    readonly shown: readonly string[];
  };
  readonly policies: {
    /** Beside others a subagent starts once each of `needs` is met and none of `vetoes` is. */
    readonly presets: readonly {
      readonly name: RulePreset;
      readonly needs: readonly PolicyCondition[];
      readonly vetoes: readonly PolicyCondition[];
    }[];
    /** The built-in ones. */
    readonly templates: readonly TemplateChoice[];
    /** As they are at the commit that is checked out. */
    readonly files: readonly (TemplateChoice & { readonly path: string })[];
  };
  readonly storage: {
    readonly folder: string;
    readonly runCount: number;
    readonly finishedCount: number;
    /** Bytes. */
    readonly journal: number;
    readonly payloads: number;
    readonly worktrees: number;
    readonly searchIndex: number;
    /** More files than could be counted in time: it is at least so much. */
    readonly isPartial: boolean;
  };
  /** Newest first; each was proved whole when it was made. `problem`: why the last one could not be, in words; `null` when it could. */
  readonly backups: {
    readonly folder: string;
    readonly problem: string | null;
    readonly backups: readonly {
      readonly name: string;
      readonly at: number;
      readonly runs: number;
      readonly events: number;
      readonly bytes: number;
    }[];
  };
  /** The invariants of the store, each with what breaks it. Takes time in proportion to the journal. */
  readonly doctor: {
    readonly checks: readonly {
      readonly id: string;
      readonly title: string;
      readonly ok: boolean;
      readonly details: readonly string[];
    }[];
  };
  /** What is wrong with one run's journal, a sentence each; empty when it is sound. */
  readonly runCheck: { readonly faults: readonly string[] };
  readonly roles: {
    readonly roles: readonly {
      readonly name: string;
      readonly tools: readonly string[];
      readonly ceiling: string;
      readonly steps: number;
    }[];
    /** As they are at the commit that is checked out, the own folder first. */
    readonly files: readonly RoleLine[];
  };
}

export type CareKind = keyof CareQueries;
export const careKinds = [
  "localServers",
  "serverModels",
  "modelTest",
  "modelFacts",
  "repository",
  "files",
  "folders",
  "search",
  "decided",
  "rules",
  "commandTest",
  "pathTest",
  "commandPath",
  "sandbox",
  "policies",
  "storage",
  "worktrees",
  "keptWork",
  "backups",
  "doctor",
  "runCheck",
  "roles",
] as const satisfies readonly CareKind[];

export type CareRequest<K extends CareKind = CareKind> = {
  [Kind in K]: { readonly kind: Kind } & CareQueries[Kind];
}[K];
export type CareBody = CareBodies[CareKind];

export function isCareRequest(request: { readonly kind: string }): request is CareRequest {
  return (careKinds as readonly string[]).includes(request.kind);
}

export function isCareCommand(command: { readonly type: string }): command is CareCommand {
  return (careCommandTypes as readonly string[]).includes(command.type);
}
