// Which names a request may call this server by. A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding),
// but it cannot make the browser send another `Host` or `Origin` than its own.

import type { IncomingHttpHeaders } from "node:http";
import { hostname, networkInterfaces } from "node:os";

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];
const wildcards = new Set(["0.0.0.0", "::"]);
const hostHeader = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i;

/** As it stands in a URL: an IPv6 address in brackets, a wildcard as this machine's name. */
export function urlHost(host: string): string {
  if (wildcards.has(host)) return hostname().toLowerCase();
  return host.includes(":") ? `[${host}]` : host.toLowerCase();
}

export function isLoopback(host: string): boolean {
  return loopbackNames.includes(urlHost(host));
}

/** The names to answer to when bound to `host`. Ports are not part of it: behind `ssh -L` a request names the tunnel's. */
export function allowedNames(host: string): ReadonlySet<string> {
  const own = wildcards.has(host) ? interfaceNames() : [];
  return new Set([...loopbackNames, urlHost(host), ...own]);
}

/** Whether `Host` is one of ours and `Origin`, where a browser sent one, is this very server and not another port of it. */
export function isOwnRequest(
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  names: ReadonlySet<string>,
): boolean {
  const { host, origin } = headers;
  const name = hostHeader.exec(host ?? "")?.[1]?.toLowerCase();
  if (name === undefined || !names.has(name)) return false;
  return origin === undefined || origin === `http://${host}`;
}

function interfaceNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
}

/** What a refused request called itself, short enough for a log. */
export function whoAsks({ headers }: { readonly headers: IncomingHttpHeaders }) {
  return { host: (headers.host ?? "").slice(0, 200), origin: (headers.origin ?? "").slice(0, 200) };
}
