// Single requests of the window: a page read, a command carried out. Answers are checked and frozen here; nothing is kept.

import type { WorkbenchBridge } from "../../shared/contract/bridge.ts";
import type { CareCommand, CareReceipt } from "../../shared/contract/care.ts";
import type { CommandReceipt, WorkbenchCommand } from "../../shared/contract/commands.ts";
import type { ContentPiece, ContentRequest } from "../../shared/contract/content.ts";
import type { HostAnswers, HostCall } from "../../shared/contract/host.ts";
import type { CommandId } from "../../shared/contract/ids.ts";
import type { PageBodies, PageKind, PageQueries, PageRequest } from "../../shared/contract/pages.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { careReceipt } from "./careSchemas.ts";
import { contentPiece, hostAnswers } from "./hostSchemas.ts";
import { pageSchemas, receiptSchema } from "./pageSchemas.ts";

export interface Requests {
  /** Reads one page. Never rejects; `UNREADABLE_PAGE`: what came is not what this window knows. */
  readPage<K extends PageKind>(kind: K, query: PageQueries[K]): Promise<Result<PageBodies[K]>>;
  /** Reads a piece of a text that a page has clipped. Never rejects. */
  readContent(request: ContentRequest): Promise<Result<ContentPiece>>;
  /** Asks something of the machine that the application runs on. Never rejects. */
  callHost<Call extends HostCall>(call: Call): Promise<Result<HostAnswers[Call["kind"]]>>;
  /** Has a command carried out. Under the same id it is carried out once, so that it may be sent again when no answer came. Never rejects. */
  execute(command: WorkbenchCommand, commandId?: CommandId): Promise<Result<CommandReceipt>>;
  /** The same for what is no run's: settings, keys, rules, data. */
  takeCare(command: CareCommand): Promise<Result<CareReceipt>>;
}

export function createRequests(bridge: WorkbenchBridge): Requests {
  return {
    async readPage(kind, query) {
      // The kind and its query belong together by the signature; the union cannot say so.
      const answer = await bridge.readPage({ kind, ...query } as unknown as PageRequest);
      if (!answer.ok) return answer;
      const parsed = pageSchemas[kind].safeParse(answer.value);
      return parsed.success ? succeed(deepFreeze(parsed.data)) : fail(unreadable(`The page ${kind}`));
    },
    async readContent(request) {
      const answer = await bridge.readContent(request);
      if (!answer.ok) return answer;
      const parsed = contentPiece.safeParse(answer.value);
      return parsed.success ? succeed(deepFreeze(parsed.data)) : fail(unreadable("The text"));
    },
    async callHost(call) {
      const answer = await bridge.callHost(call);
      if (!answer.ok) return answer;
      const parsed = hostAnswers[call.kind].safeParse(answer.value);
      if (!parsed.success) return fail(unreadable(`The answer to ${call.kind}`));
      // The kind and its answer belong together by the table; the union cannot say so.
      return succeed(deepFreeze(parsed.data)) as Result<never>;
    },
    async execute(command, commandId = newCommandId()) {
      const answer = await bridge.execute({ commandId, command });
      if (!answer.ok) return answer;
      const parsed = receiptSchema.safeParse(answer.value);
      return parsed.success ? succeed(deepFreeze(parsed.data)) : fail(unreadable(`The receipt of ${command.type}`));
    },
    async takeCare(command) {
      const answer = await bridge.execute({ commandId: newCommandId(), command });
      if (!answer.ok) return answer;
      const parsed = careReceipt.safeParse(answer.value);
      return parsed.success ? succeed(deepFreeze(parsed.data)) : fail(unreadable(`The receipt of ${command.type}`));
    },
  };
}

/** A new id for a command: 128 bits. */
export function newCommandId(): CommandId {
  // `randomUUID` is missing where the page comes over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") as CommandId;
}

function unreadable(what: string) {
  return {
    code: "UNREADABLE_PAGE",
    message: `${what} does not match what this window knows. Reload it; if that does not help, window and program are of different versions.`,
  };
}
