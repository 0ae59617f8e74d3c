// The contract without a shell: what both shells call, in one process, so that a failure here is none of theirs.

import type { Log } from "../../src/main/logging/log.ts";
import type { ShellSource } from "../../src/main/pages/topicSource.ts";
import { createBrowserHost, sourceOn } from "../../src/main/shells/host.ts";
import { parseRequest } from "../../src/main/shells/messages.ts";
import { answerRequest, createViewer } from "../../src/main/shells/viewer.ts";
import { type RequestBodies, type RequestChannel, requestChannels } from "../../src/shared/contract/channels.ts";
import type { Result } from "../../src/shared/lib/result.ts";
import { describeContract, type ShellPage } from "./contract.ts";

function openPage(source: ShellSource, log: Log): Promise<ShellPage> {
  const listeners = new Set<(topic: string, snapshot: unknown) => void>();
  const own = sourceOn(createBrowserHost("0.0.0"), source);
  const viewer = createViewer(own, (topic, snapshot) => {
    for (const listener of listeners) listener(topic, snapshot);
  });

  const send = async (channel: string, body: unknown): Promise<Result<unknown> | "refused"> => {
    const known = requestChannels.find((one) => one === channel);
    const parsed = known === undefined ? null : parseRequest(known, body);
    if (parsed?.ok === true) return answerRequest(own, viewer, parsed.value);
    log.note("request.refused", { channel });
    return parsed ?? "refused";
  };
  const ask = <C extends RequestChannel>(channel: C, body: RequestBodies[C]) =>
    send(channel, body) as Promise<Result<unknown>>;
  return Promise.resolve({
    bridge: {
      subscribe: (topic) => ask("topic/subscribe", { topic }),
      unsubscribe: (topic) => ask("topic/unsubscribe", { topic }),
      readPage: (request) => ask("page/read", request),
      readContent: (request) => ask("content/read", request),
      execute: (envelope) => ask("command/execute", envelope),
      callHost: (call) => ask("host/call", call),
      onSnapshot(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    send,
    strangers: {},
    close: () => Promise.resolve(viewer.close()),
  });
}

describeContract("one process", openPage);
