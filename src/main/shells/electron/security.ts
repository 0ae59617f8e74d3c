// What the window may not do, set before any window opens: its page comes from `coppice://app` and nowhere else,
// goes nowhere else, opens nothing, and is granted nothing but to copy text that was clicked for it.

import { protocol } from "electron";
import type { App, Session, WebContents, WebFrameMain } from "electron";

import type { Log } from "../../logging/log.ts";
import { commonHeaders, contentPolicy } from "../contentPolicy.ts";
import type { RendererFiles } from "../rendererFiles.ts";

const scheme = "coppice";
const pageHost = "app";
const copyText = "clipboard-sanitized-write";

export const pageUrl = `${scheme}://${pageHost}/`;

/** To be called before `app` is ready: a scheme with an origin, so that `'self'` in the page's policy means something (`file:` has none). */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built renderer to `session`, lets it ask nobody else, and denies it every permission. */
export function secureSession(session: Session, files: RendererFiles, log: Log): void {
  session.protocol.handle(scheme, (request) => answerPage(files, new URL(request.url)));
  // The page's own policy says the same; this holds for whatever gets around it. The developer tools load themselves.
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    const isOwn = [`${scheme}:`, "devtools:", "data:", "blob:"].includes(
      URL.canParse(url) ? new URL(url).protocol : "",
    );
    if (!isOwn) log.note("request.refused", { shell: "desktop", reason: "foreign address" });
    decide({ cancel: !isOwn });
  });
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(permission === copyText));
  session.setPermissionCheckHandler((_contents, permission) => permission === copyText);
  session.setDevicePermissionHandler(() => false);
}

/** Keeps every page of `app`, also those nobody has thought of, where it is. */
export function forbidNavigation(app: App): void {
  app.on("web-contents-created", (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    contents.on("will-navigate", (event) => event.preventDefault());
    contents.on("will-frame-navigate", (event) => event.preventDefault());
    contents.on("will-redirect", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
  });
}

/** Whether an IPC message comes from the page itself, and not from a frame that something put into it. */
export function isOwnFrame(frame: WebFrameMain | null, contents: WebContents): boolean {
  return frame !== null && frame === contents.mainFrame && URL.canParse(frame.url) && isPage(new URL(frame.url));
}

function answerPage(files: RendererFiles, url: URL): Response {
  const file = isPage(url) ? files.get(url.pathname) : undefined;
  const headers = { ...commonHeaders, "content-security-policy": contentPolicy };
  if (file === undefined) return new Response(null, { status: 404, headers });
  return new Response(file.body, { headers: { ...headers, "content-type": file.type } });
}

function isPage(url: URL): boolean {
  return url.protocol === `${scheme}:` && url.host === pageHost;
}
