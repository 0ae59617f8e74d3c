// The contract's channels over Electron's IPC, for one window. Handlers check who asks, never reject, and hold nothing
// that outlives the page: a reload starts over.

import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";

import type { ClientMessage, ServerMessage } from "../../../shared/contract/channels.ts";
import type { Topic } from "../../../shared/contract/topics.ts";
import type { Result } from "../../../shared/lib/result.ts";
import { fail } from "../../../shared/lib/result.ts";
import { parseTopicBody } from "../messages.ts";
import type { TopicSource } from "../../topicSource.ts";
import type { Viewer } from "../viewer.ts";
import { createViewer } from "../viewer.ts";
import { isOwnFrame } from "./security.ts";

const subscribe = "topic/subscribe" satisfies ClientMessage["channel"];
const unsubscribe = "topic/unsubscribe" satisfies ClientMessage["channel"];
const pushed = "topic/snapshot" satisfies Extract<ServerMessage, { readonly kind: "push" }>["channel"];

/** Answers the window's requests until the function it returns is called. */
export function answerIpc(
  ipc: Pick<IpcMain, "handle" | "removeHandler">,
  contents: WebContents,
  source: TopicSource,
): () => void {
  let viewer = openViewer(contents, source);
  // A reloaded page knows nothing of the subscriptions of the one before it.
  contents.on("did-navigate", () => {
    viewer.close();
    viewer = openViewer(contents, source);
  });
  contents.on("destroyed", () => viewer.close());

  const answer =
    (act: (topic: Topic) => Result<unknown> | Promise<Result<unknown>>) =>
    async (event: IpcMainInvokeEvent, body: unknown) => {
      if (event.sender !== contents || !isOwnFrame(event.senderFrame, contents)) return fail(notOurs);
      const parsed = parseTopicBody(body);
      return parsed.ok ? act(parsed.value.topic) : parsed;
    };
  ipc.handle(
    subscribe,
    answer((topic) => viewer.subscribe(topic)),
  );
  ipc.handle(
    unsubscribe,
    answer((topic) => viewer.unsubscribe(topic)),
  );

  return () => {
    ipc.removeHandler(subscribe);
    ipc.removeHandler(unsubscribe);
    viewer.close();
  };
}

const notOurs = {
  code: "BAD_USAGE",
  message: "The request was refused: it does not come from the page of the workbench.",
};

function openViewer(contents: WebContents, source: TopicSource): Viewer {
  return createViewer(source, (topic, snapshot) => {
    if (!contents.isDestroyed()) contents.send(pushed, { topic, snapshot });
  });
}
