// The contract's channels over Electron's IPC, for every window. Handlers check who asks, never reject, and hold nothing
// that outlives a page: a reload starts over. What is refused is noted.

import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";

import { type ClientRequest, requestChannels, type ServerMessage } from "../../../shared/contract/channels.ts";
import type { Failure, Result } from "../../../shared/lib/result.ts";
import { fail } from "../../../shared/lib/result.ts";
import type { Log } from "../../logging/log.ts";
import type { ViewerSource } from "../host.ts";
import { parseRequest } from "../messages.ts";
import type { Viewer } from "../viewer.ts";
import { answerRequest, createViewer } from "../viewer.ts";

const pushed = "topic/snapshot" satisfies Extract<ServerMessage, { readonly kind: "push" }>["channel"];

/** Who may ask: the page itself, and not a frame that something put into it. */
export type IsOwnFrame = (frame: IpcMainInvokeEvent["senderFrame"], contents: WebContents) => boolean;

interface Admitted {
  readonly source: ViewerSource;
  viewer: Viewer;
}

export interface IpcServer {
  /** Answers this window's page from `source` until it is destroyed. */
  admit(contents: WebContents, source: ViewerSource): void;
  /** Answers nobody any more. */
  close(): void;
}

/** Answers the windows that are admitted, and no one else. */
export function answerIpc(ipc: Pick<IpcMain, "handle" | "removeHandler">, isOwnFrame: IsOwnFrame, log: Log): IpcServer {
  const admitted = new Map<WebContents, Admitted>();

  const answer = async (
    channel: ClientRequest["channel"],
    event: IpcMainInvokeEvent,
    body: unknown,
  ): Promise<Result<unknown>> => {
    const own = admitted.get(event.sender);
    if (own === undefined || !isOwnFrame(event.senderFrame, event.sender))
      return refuse(log, channel, "foreign sender", notOurs);
    const parsed = parseRequest(channel, body);
    if (!parsed.ok) return refuse(log, channel, "not a request of the contract", parsed.error);
    return answerRequest(own.source, own.viewer, parsed.value);
  };
  for (const channel of requestChannels) {
    ipc.handle(channel, (event, body: unknown) => answer(channel, event, body));
  }

  return {
    admit(contents, source) {
      const own: Admitted = { source, viewer: openViewer(contents, source) };
      admitted.set(contents, own);
      // A reloaded page knows nothing of the subscriptions of the one before it.
      contents.on("did-navigate", () => {
        own.viewer.close();
        own.viewer = openViewer(contents, source);
      });
      // The preload sends nothing this way: whoever does is no page of ours.
      contents.on("ipc-message", (_event, channel) => log.note("request.refused", { shell: "desktop", channel }));
      contents.on("destroyed", () => {
        own.viewer.close();
        admitted.delete(contents);
      });
    },
    close() {
      for (const channel of requestChannels) ipc.removeHandler(channel);
      for (const { viewer } of admitted.values()) viewer.close();
      admitted.clear();
    },
  };
}

function refuse(log: Log, channel: string, reason: string, failure: Failure): Result<never> {
  log.note("request.refused", { shell: "desktop", channel, reason });
  return fail(failure);
}

const notOurs: Failure = {
  code: "BAD_USAGE",
  message: "The request was refused: it does not come from the page of the workbench.",
};

function openViewer(contents: WebContents, source: ViewerSource): Viewer {
  return createViewer(source, (topic, snapshot) => {
    if (!contents.isDestroyed()) contents.send(pushed, { topic, snapshot });
  });
}
