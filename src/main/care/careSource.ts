// What stands behind a shell beside the runs: settings as a topic, pages about this machine, and commands that look after
// settings, keys, rules and data. Passes on what is about a run to whoever answers that.

import type { CareBody, CareCommand, CareReceipt, CareRequest } from "../../shared/contract/care.ts";
import { isCareCommand, isCareRequest } from "../../shared/contract/care.ts";
import type { CommandEnvelope, CommandReceipt, WorkbenchCommand } from "../../shared/contract/commands.ts";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import type { RunPageRequest } from "../../shared/contract/pages.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { CommandEnvironment, CommandPort } from "../engine/ports/command.ts";
import type { CommandSource, ContentSource, PageSource, ShellSource, TopicSource } from "../pages/topicSource.ts";
import type { Care } from "../runs/care.ts";
import type { CommandRules } from "../settings/commandRules.ts";
import type { SettingsStore } from "../settings/settings.ts";
import { backupFolder } from "../store/backup.ts";
import type { CheckResult } from "../store/check.ts";
import { forgetTrust, trustedPage, trustShown } from "./configurationPages.ts";
import type { History } from "./history.ts";
import { keepHistory } from "./keepHistory.ts";
import { mendWorktree } from "./mendWorktree.ts";
import { localServers, modelFacts, type ModelParts, serverModels, testModel } from "./modelPages.ts";
import { policiesPage } from "./policiesPage.ts";
import { followProgress, type ProgressBoard } from "./progressBoard.ts";
import {
  createFilesPage,
  type FilesPage,
  foldersPage,
  type RepositoryParts,
  repositoryPage,
} from "./repositoryPages.ts";
import { decidedPage } from "./decidedPage.ts";
import { commandPathPage, findRepository, rulesPage, testCommand, testPath } from "./rulePages.ts";
import { rolesPage } from "./rolesPage.ts";
import { sandboxPage } from "./sandboxPage.ts";
import { searchPage } from "./searchPage.ts";
import { followSettings } from "./settingsTopic.ts";
import { storagePage } from "./storagePage.ts";
import { keptWork, worktreesPage } from "./worktreesPage.ts";

export interface CareParts extends RepositoryParts, Omit<ModelParts, "settings"> {
  readonly home: string;
  readonly settings: SettingsStore;
  readonly rules: CommandRules;
  readonly commands: CommandPort;
  /** What commands begin with, as of now. */
  readonly environment: () => Promise<CommandEnvironment>;
  readonly care: Care;
  readonly history: History;
  readonly progress: ProgressBoard;
  /** The invariants of the store, in order. Throws what keeps it from looking. */
  readonly examine: () => Promise<readonly CheckResult[]>;
  readonly now: () => number;
}

/** What answers for runs. */
export type RunSource = TopicSource &
  PageSource<RunPageRequest> &
  ContentSource &
  CommandSource<WorkbenchCommand, CommandReceipt>;

/** `runs`, and beside it everything that is no run's. */
export function withCare(runs: RunSource, parts: CareParts): ShellSource {
  const files = createFilesPage(parts.git, parts.now);
  return {
    readContent: (request) => runs.readContent(request),
    subscribe: (topic, onSnapshot) => {
      if (topic === "settings") return followSettings(parts, onSnapshot);
      if (topic === "progress") return Promise.resolve(followProgress(parts.progress, onSnapshot));
      return runs.subscribe(topic, onSnapshot);
    },
    readPage: async (request) => {
      if (!isCareRequest(request)) return runs.readPage(request);
      const body = await answer(parts, files, request);
      return body.ok ? succeed(deepFreeze(body.value)) : body;
    },
    execute: ({ commandId, command }) =>
      isCareCommand(command) ? carryOut(parts, { commandId, command }) : runs.execute({ commandId, command }),
  };
}

async function answer(parts: CareParts, files: FilesPage, request: CareRequest): Promise<Result<CareBody>> {
  const { settings, rules, store } = parts;
  const models: ModelParts = { ...parts, settings: () => settings.current() };
  switch (request.kind) {
    case "localServers":
      return succeed(await localServers(models));
    case "serverModels":
      return serverModels(models, request);
    case "modelTest":
      return succeed(await testModel(models, request));
    case "modelFacts":
      return succeed(modelFacts(models, request));
    case "repository":
      return repositoryPage(parts, request.folder);
    case "files":
      return files(request.folder, request.typed);
    case "folders":
      return succeed(await foldersPage(store, request.typed));
    case "search":
      return searchPage(store, request);
    case "decided":
      return succeed(await decidedPage(store, request));
    case "rules":
      return succeed({ ...rulesPage(rules), trusted: trustedPage(parts.trusted) });
    case "commandTest":
      return succeed(testCommand(request, settings.current(), await parts.commands.report(), rules));
    case "pathTest":
      return succeed(testPath(request.path, settings.current()));
    case "commandPath":
      return succeed(commandPathPage(await parts.environment()));
    case "sandbox":
      return succeed(await sandboxPage(parts.commands, await parts.environment()));
    case "policies":
      return policiesPage(parts.git, request.folder);
    case "storage":
      return succeed(await storagePage(parts.home, store));
    case "worktrees":
      return succeed(await worktreesPage(parts));
    case "keptWork":
      return succeed({ kept: await keptWork(parts, parts.care, parts.now()) });
    case "backups":
      return succeed({
        folder: backupFolder(parts.home),
        backups: parts.history.backups(),
        problem: parts.history.problem(),
      });
    case "doctor":
      return succeed({ checks: await parts.examine() });
    case "runCheck":
      return succeed({ faults: await store.verifyRun(request.run) });
    case "roles":
      return rolesPage(parts.git, settings.current(), request.folder);
  }
}

/** Each of these may be asked for twice: the second time there is nothing left to do. */
async function carryOut(
  parts: CareParts,
  { commandId, command }: CommandEnvelope<CareCommand>,
): Promise<Result<CareReceipt>> {
  try {
    const said = await act(parts, command);
    return said.ok ? succeed({ commandId, said: said.value }) : said;
  } catch (error) {
    if (error instanceof WorkbenchError) return fail({ code: error.code, message: error.message });
    throw error;
  }
}

async function act(parts: CareParts, command: CareCommand): Promise<Result<string | null>> {
  const { settings, rules, keys } = parts;
  switch (command.type) {
    case "changeSettings":
      await settings.change(command.changes);
      return succeed(null);
    case "keepKey":
      return unsaid(await keys.keep(command.provider, command.key.trim()), settings);
    case "forgetKey":
      return unsaid(await keys.forget(command.provider), settings);
    case "forgetRule": {
      const repository = findRepository(rules, command.repository);
      if (repository !== undefined) await rules.forget(repository, command.line);
      return succeed(null);
    }
    case "trustCommands":
      return trustShown(parts, command, parts.now());
    case "forgetTrust":
      await forgetTrust(parts.trusted, command);
      return succeed(null);
    case "cleanUp":
      return cleanUp(parts);
    case "mendWorktree":
      return mendWorktree(parts, command);
    case "backUp":
    case "exportRun":
    case "importRun":
      return keepHistory(parts, command);
  }
}

/** Whoever looks at the settings is told whether a key is there now. */
function unsaid(result: Result<null>, settings: SettingsStore): Result<null> {
  if (result.ok) settings.touch();
  return result;
}

const dayMs = 24 * 60 * 60_000;

async function cleanUp({ care, settings, now, progress }: CareParts): Promise<Result<string>> {
  const { keepDays } = settings.current().data;
  const { retired, pins, folders, payloads, bytes } = await progress.during("cleanUp", async (tell) => ({
    retired: keepDays === null ? 0 : await care.retireRuns(now() - keepDays * dayMs, tell),
    ...(await care.collectGarbage(now(), tell)),
  }));
  const parts = [
    counted(retired, "finished run", "finished runs"),
    counted(pins, "pin past its 30 days", "pins past their 30 days"),
    counted(folders, "folder of a run that is over", "folders of runs that are over"),
    counted(payloads, "text that nothing names", "texts that nothing names"),
  ].filter((part) => part !== null);
  if (parts.length === 0) return succeed("There was nothing to remove.");
  const freed = bytes === 0 ? "" : ` ${Math.ceil(bytes / 1024)} KiB of texts were freed.`;
  return succeed(`Removed: ${parts.join(", ")}.${freed}`);
}

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
