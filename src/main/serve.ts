// Browser mode: the workbench behind a loopback server, for a machine reached over SSH or one without Electron.
// As an entry (`node out/main/serve.js`) it composes the workbench itself; `coppice serve` calls `serve`.

import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { WorkbenchError, findErrorCode } from "../shared/contract/errors.ts";
import { createAuth } from "./shells/browser/auth.ts";
import { allowedNames, isLoopback, urlHost } from "./shells/browser/hosts.ts";
import { answerHttp } from "./shells/browser/http.ts";
import { openWindow } from "./shells/browser/openWindow.ts";
import { acceptSockets } from "./shells/browser/socket.ts";
import { createBrowserHost, sourceOn } from "./shells/host.ts";
import { dataFolder } from "./shells/dataFolder.ts";
import { noteAbandoned } from "./shells/abandonedRuns.ts";
import type { Log } from "./logging/log.ts";
import { readRendererFiles } from "./shells/rendererFiles.ts";
import type { ShellSource } from "./pages/topicSource.ts";
import { appVersion } from "./version.ts";
import type { Workbench } from "./workbench.ts";

export interface ServeOptions {
  /** `0` or absent: any free port. */
  readonly port?: number;
  /** Absent: loopback only. */
  readonly host?: string;
  /** Also show it in a window. */
  readonly open?: boolean;
  readonly source: ShellSource;
  /** Where refusals are noted. It stays its owner's to close. */
  readonly log: Log;
  /** The built renderer, `out/renderer`. */
  readonly rendererFolder: string;
  /** Is given exactly one line with the URL and its token, and a warning where the host is not loopback. */
  print(line: string): void;
}

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves until closed. Throws `BAD_CONFIGURATION` when the renderer is not built, `BAD_USAGE` when the address cannot be listened on. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port = 0, host = "127.0.0.1", log, print } = options;
  const files = await readRendererFiles(options.rendererFolder);
  const server = createServer();
  await listen(server, port, host);

  const names = allowedNames(host);
  const { port: boundPort } = server.address() as AddressInfo;
  const auth = createAuth(boundPort);
  server.on("request", answerHttp({ auth, files, names, log }));
  const source = sourceOn(createBrowserHost(appVersion()), options.source);
  const endSockets = acceptSockets(server, { auth, names, source, log });

  const url = `http://${urlHost(host)}:${boundPort}/?token=${auth.token}`;
  if (!isLoopback(host))
    print(`Warning: ${host} is reachable from other machines, and HTTP is not encrypted. Prefer \`ssh -L\`.`);
  print(url);
  const window = options.open === true ? await openWindow(url) : undefined;

  return {
    url,
    async close() {
      const closed = once(server, "close");
      server.close();
      endSockets();
      server.closeAllConnections();
      await closed;
      await window?.cleanUp();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WorkbenchError(
      "BAD_USAGE",
      `Cannot listen on ${host}, port ${port} (${reason}). Choose another with --port.`,
      { cause },
    );
  }
}

export interface StayOptions extends Pick<ServeOptions, "port" | "host" | "open" | "print"> {
  /** The data folder. */
  readonly home: string;
  readonly onServing?: (url: string) => void;
  readonly rendererFolder?: string;
}

/** Serves a workbench, looks after its data folder and goes on with what dead processes have left, until SIGINT or SIGTERM; a second one leaves at once. Whatever ends it, nobody is served any more. Throws what `serve` and `RunManager.resumeAbandoned` do. */
export async function serveUntilSignal(
  workbench: Pick<Workbench, "source" | "keepUp" | "runs">,
  { home, onServing, rendererFolder = join(import.meta.dirname, "../renderer"), ...options }: StayOptions,
): Promise<void> {
  const stopped = firstSignal();
  // Loaded by the commands that need it.
  const { openLog } = await import("./logging/log.ts");
  const log = openLog(home);
  try {
    const serving = await serve({ ...options, source: workbench.source, log, rendererFolder });
    try {
      onServing?.(serving.url);
      workbench.keepUp();
      noteAbandoned(log, await workbench.runs.resumeAbandoned());
      await stopped;
    } finally {
      await serving.close();
    }
  } finally {
    log.close();
  }
}

/** Answers with the exit code. */
async function main(): Promise<number> {
  const options = readOptions();
  const home = dataFolder(process.env);
  const { openWorkbench } = await import("./workbench.ts");
  const workbench = await openWorkbench({ home });
  if (!workbench.ok) throw new WorkbenchError(workbench.error.code, workbench.error.message);
  try {
    await serveUntilSignal(workbench.value, { ...options, home, print: (line) => process.stdout.write(`${line}\n`) });
  } finally {
    await workbench.value.close();
  }
  return 0;
}

function readOptions(): Pick<ServeOptions, "port" | "host" | "open"> {
  try {
    const { values } = parseArgs({
      options: { port: { type: "string" }, host: { type: "string" }, open: { type: "boolean" } },
    });
    const { port, ...rest } = values;
    return { ...rest, ...(port === undefined ? {} : { port: readPort(port) }) };
  } catch (error) {
    if (error instanceof WorkbenchError) throw error;
    throw new WorkbenchError(
      "BAD_USAGE",
      `${error instanceof Error ? error.message : String(error)}. Known: --port N, --host H, --open.`,
      { cause: error },
    );
  }
}

/** The number of a port, 0 for any free one. Throws `BAD_USAGE`. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new WorkbenchError("BAD_USAGE", `--port takes a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

async function firstSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  await promise;
}

/** Whether Node was started with this file. By name: in the bundle the code of an entry may stand in a chunk beside it. */
function isEntry(): boolean {
  const script = process.argv[1];
  return (
    script !== undefined &&
    ["serve.js", "serve.ts"].some((name) => realpathSync(script) === join(import.meta.dirname, name))
  );
}

if (isEntry()) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = findErrorCode(error.code)?.exitCode ?? 1;
  }
}
