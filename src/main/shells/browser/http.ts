// Answers HTTP: exchanges the token, then hands out the built renderer. Reads nothing from disk and changes nothing.

import type { IncomingMessage, ServerResponse } from "node:http";

import type { Log } from "../../logging/log.ts";
import { commonHeaders, contentPolicy } from "../contentPolicy.ts";
import type { RendererFiles } from "../rendererFiles.ts";
import type { Auth } from "./auth.ts";
import { isOwnRequest, whoAsks } from "./hosts.ts";
import type { TextPage } from "./textPages.ts";
import { closedPage, openingPage } from "./textPages.ts";

export interface HttpOptions {
  readonly auth: Auth;
  readonly files: RendererFiles;
  /** Host names to answer to; see `allowedNames`. */
  readonly names: ReadonlySet<string>;
  readonly log: Log;
}

/** The server's `request` listener. Every request is answered at once. */
export function answerHttp({
  auth,
  files,
  names,
  log,
}: HttpOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (!isOwnRequest(request.headers, names)) {
      log.note("request.refused", { shell: "browser", reason: "foreign host or origin", ...whoAsks(request) });
      return sendText(response, 403, "Coppice does not answer to this address.");
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendText(response, 405, "Only GET and HEAD are answered here.");
    }
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const token = new URLSearchParams(query).get("token");
    if (token !== null) return exchange(request, response, { auth, log }, token);
    if (!auth.isKnown(request.headers.cookie)) {
      log.note("request.refused", { shell: "browser", reason: "no session" });
      return sendPage(response, closedPage);
    }

    const file = files.get(path);
    if (file === undefined) return sendText(response, 404, "There is nothing at this address.");
    response.writeHead(200, {
      ...commonHeaders,
      "content-security-policy": contentPolicy,
      "content-type": file.type,
      "content-length": file.body.byteLength,
    });
    response.end(request.method === "HEAD" ? undefined : file.body);
  };
}

function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  { auth, log }: Pick<HttpOptions, "auth" | "log">,
  token: string,
): void {
  // Link previews ask with HEAD; they must not use up the one exchange.
  const cookie = request.method === "GET" ? auth.redeem(token) : undefined;
  if (cookie === undefined) {
    log.note("request.refused", { shell: "browser", reason: "stale or unknown token" });
    return sendPage(response, closedPage);
  }
  response.setHeader("set-cookie", cookie);
  sendPage(response, openingPage);
}

function sendPage(response: ServerResponse, page: TextPage): void {
  response.writeHead(page.status, page.headers);
  response.end(page.body);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...commonHeaders,
    "content-security-policy": contentPolicy,
    "content-type": "text/plain; charset=utf-8",
  });
  response.end(`${text}\n`);
}
