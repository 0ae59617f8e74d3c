// What a shell answers itself because it, and not the application, stands on the person's screen: calls of the host, and
// the topic `window`. Everything else goes to the application's source.

import type { HostAct, HostAnswer, HostCall, HostDescription } from "../../shared/contract/host.ts";
import type { WindowSnapshot } from "../../shared/contract/window.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import type { ShellSource, TopicSubscription } from "../pages/topicSource.ts";

export interface Host {
  /** Carries out one checked call. Never rejects. Code `NOT_HERE`: this host cannot do that. */
  call(call: HostCall): Promise<Result<HostAnswer>>;
  /** The topic `window`. */
  watch(onSnapshot: (snapshot: WindowSnapshot) => void): TopicSubscription;
}

/** All that stands behind one viewer. */
export interface ViewerSource extends ShellSource {
  callHost(call: HostCall): Promise<Result<HostAnswer>>;
}

/** The application for viewers of one host. */
export function sourceOn(host: Host, source: ShellSource): ViewerSource {
  return {
    ...source,
    subscribe: (topic, onSnapshot) =>
      topic === "window" ? Promise.resolve(succeed(host.watch(onSnapshot))) : source.subscribe(topic, onSnapshot),
    callHost: (call) => host.call(call),
  };
}

/** The host of a page in a browser, which may stand on another machine: it can say what it is, and nothing more. */
export function createBrowserHost(version: string): Host {
  const description: HostDescription = {
    shell: "browser",
    version,
    platform: process.platform,
    can: [],
    editor: null,
  };
  return {
    call: ({ kind }) => Promise.resolve(kind === "describe" ? succeed(description) : fail(notHere(kind))),
    watch: () => ({ first: { version: 1, asked: [] }, unsubscribe: () => {} }),
  };
}

export function notHere(act: HostAct): Failure {
  return {
    code: "NOT_HERE",
    message: `${act} was refused: a page in a browser cannot reach the desktop of the machine that Coppice runs on. Use the desktop window there.`,
  };
}
