// Links into the application from anywhere: `coppice://run/ID?at=812&agent=subagent-3`, `coppice://compare/ID/ID`. The same place as the page's own
// address `?run=ID&at=812&agent=subagent-3`. What a link says is checked here; what is not understood is no link.

import { isSubagentId } from "./ids.ts";

const runLink = /^coppice:\/\/run\/([a-z0-9-]{4,64})\/?(?:\?([\w=&.-]{1,300}))?$/;
const inboxLink = /^coppice:\/\/inbox\/?$/;
const compareLink = /^coppice:\/\/compare\/([a-z0-9-]{4,64})\/([a-z0-9-]{4,64})\/?$/;
const besidePart = /[?&]beside=([a-z0-9-]{4,64})(?:&|$)/;
const runPart = /[?&]run=([a-z0-9-]{4,64})(?:&|$)/;

/** What a link may say beside its run, in this order, each with what it must look like. */
const parts: readonly (readonly [name: string, isGood: (text: string) => boolean])[] = [
  ["at", (text) => /^[1-9]\d{0,8}$/.test(text)],
  ["agent", (text) => text === "lead" || (text.length <= 20 && isSubagentId(text))],
  ["review", (text) => /^(?:lead|subagent-[1-9]\d{0,8})\.[1-9]\d{0,8}$/.test(text)],
];

/** The page's address for a link, such as `?run=ID&at=812`; `null` where it is no link of ours, or says anything else. */
export function readDeepLink(link: string): string | null {
  if (inboxLink.test(link)) return "?view=inbox";
  const [, first, second] = compareLink.exec(link) ?? [];
  if (first !== undefined) return `?view=compare&run=${first}&beside=${second ?? ""}`;
  const [, run, query] = runLink.exec(link) ?? [];
  if (run === undefined) return null;
  const said = query === undefined ? [] : query.split("&").map((pair) => pair.split("="));
  const isWhole = said.every(([name, value, ...rest]) => rest.length === 0 && isPart(name, value));
  const names = said.map(([name]) => name);
  if (!isWhole || new Set(names).size !== names.length) return null;
  return `?run=${run}${said.map((pair) => `&${pair.join("=")}`).join("")}`;
}

/** The link for the page's address; `null` where it shows no run. */
export function writeDeepLink(search: string): string | null {
  const run = runPart.exec(search)?.[1];
  if (run === undefined) return null;
  const beside = besidePart.exec(search)?.[1];
  if (beside !== undefined) return `coppice://compare/${run}/${beside}`;
  const said = parts.flatMap(([name]) => {
    const value = new RegExp(`[?&]${name}=([\\w.-]{1,40})(?:&|$)`).exec(search)?.[1];
    return isPart(name, value) ? [`${name}=${value}`] : [];
  });
  return `coppice://run/${run}${said.length > 0 ? `?${said.join("&")}` : ""}`;
}

function isPart(name: string | undefined, value: string | undefined): boolean {
  return value !== undefined && parts.some(([known, isGood]) => known === name && isGood(value));
}
