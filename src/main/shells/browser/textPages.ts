// The two pages that are not the workbench: "opening", and "this link does not open anything".
// They hold text and a style of their own: whoever sees them may have no right to anything else.

import { createHash } from "node:crypto";

import { commonHeaders, textPagePolicy } from "../contentPolicy.ts";

export interface TextPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const style =
  ":root{color-scheme:light dark}" +
  "body{margin:0;min-height:100vh;display:grid;place-content:center;padding:32px;box-sizing:border-box;" +
  "background:light-dark(#f2f1ec,#141210);color:light-dark(#26221c,#e9e6df);font:420 13px/18px system-ui,sans-serif}" +
  "main{max-width:44ch}h1{margin:0 0 6px;font-size:18px;line-height:26px;font-weight:620}p{margin:0 0 12px}" +
  "code{font-family:ui-monospace,monospace;font-size:12px}";

const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

function textPage(status: number, title: string, head: string, main: string): TextPage {
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Coppice</title>` +
    `${head}<style>${style}</style></head><body><main><h1>${title}</h1>${main}</main></body></html>\n`;
  const headers = {
    ...commonHeaders,
    "content-security-policy": textPagePolicy(styleHash),
    "content-type": "text/html; charset=utf-8",
  };
  return { status, headers, body };
}

/** For whoever has no session: a used, wrong or missing token. It says how to get a new link, and nothing else. */
export const closedPage = textPage(
  403,
  "This link does not open Coppice",
  "",
  "<p>Each link opens once. It has been used, or it belongs to an earlier start.</p>" +
    "<p>For a new one, stop <code>coppice serve</code> in its terminal with Ctrl+C and start it again. Open the URL that it prints.</p>",
);

/**
 * After the exchange. A page of its own instead of a redirect: where the link was followed from another site
 * (a terminal in a browser), `SameSite=Strict` would hold the fresh cookie back on the redirect and the workbench would stay closed.
 */
export const openingPage = textPage(
  200,
  "Opening Coppice",
  '<meta http-equiv="refresh" content="0;url=/">',
  "<p>One moment.</p>",
);
