// Electron's IPC in memory: handlers by channel, and messages that arrive as structured clones, as between its processes.
// The stand-in for Electron (e2e/standin) and the conformance tests use the same.

type Handler = (event: object, ...args: readonly unknown[]) => unknown;

export interface StandinIpc {
  handle(channel: string, handler: Handler): void;
  removeHandler(channel: string): void;
  channels(): readonly string[];
  /** A page's `ipcRenderer.invoke`. Rejects, as Electron does, where nobody handles the channel. */
  invoke(event: object, channel: string, args: readonly unknown[]): Promise<unknown>;
}

export function createStandinIpc(): StandinIpc {
  const handlers = new Map<string, Handler>();
  return {
    handle(channel, handler) {
      if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
      handlers.set(channel, handler);
    },
    removeHandler: (channel) => void handlers.delete(channel),
    channels: () => [...handlers.keys()],
    async invoke(event, channel, args) {
      const handler = handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return structuredClone(await handler(event, ...structuredClone(args)));
    },
  };
}
