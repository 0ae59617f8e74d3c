// The contract's channels over Electron's IPC, for one window. Handlers check who asks, never reject, and hold nothing
// that outlives the page: a reload starts over.

import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";

import { type ClientRequest, requestChannels, type ServerMessage } from "../../../shared/contract/channels.ts";
import type { Result } from "../../../shared/lib/result.ts";
import { fail } from "../../../shared/lib/result.ts";
import { parseRequest } from "../messages.ts";
import type { ShellSource } from "../../pages/topicSource.ts";
import type { Viewer } from "../viewer.ts";
import { answerRequest, createViewer } from "../viewer.ts";

const pushed = "topic/snapshot" satisfies Extract<ServerMessage, { readonly kind: "push" }>["channel"];

/** Who may ask: the page itself, and not a frame that something put into it. */
export type IsOwnFrame = (frame: IpcMainInvokeEvent["senderFrame"], contents: WebContents) => boolean;

/** Answers the window's requests until the function it returns is called. */
export function answerIpc(
  ipc: Pick<IpcMain, "handle" | "removeHandler">,
  contents: WebContents,
  source: ShellSource,
  isOwnFrame: IsOwnFrame,
): () => void {
  let viewer = openViewer(contents, source);
  // A reloaded page knows nothing of the subscriptions of the one before it.
  contents.on("did-navigate", () => {
    viewer.close();
    viewer = openViewer(contents, source);
  });
  contents.on("destroyed", () => viewer.close());

  const answer = async (
    channel: ClientRequest["channel"],
    event: IpcMainInvokeEvent,
    body: unknown,
  ): Promise<Result<unknown>> => {
    if (event.sender !== contents || !isOwnFrame(event.senderFrame, contents)) return fail(notOurs);
    const parsed = parseRequest(channel, body);
    return parsed.ok ? answerRequest(source, viewer, parsed.value) : parsed;
  };
  for (const channel of requestChannels) {
    ipc.handle(channel, (event, body: unknown) => answer(channel, event, body));
  }
  return () => {
    for (const channel of requestChannels) ipc.removeHandler(channel);
    viewer.close();
  };
}

const notOurs = {
  code: "BAD_USAGE",
  message: "The request was refused: it does not come from the page of the workbench.",
};

function openViewer(contents: WebContents, source: ShellSource): Viewer {
  return createViewer(source, (topic, snapshot) => {
    if (!contents.isDestroyed()) contents.send(pushed, { topic, snapshot });
  });
}
