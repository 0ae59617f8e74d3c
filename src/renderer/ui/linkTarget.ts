// Which address a link that a model wrote may lead to. Only http and https, and only to a host that reads as what it is. Pure.

export type LinkTarget =
  | { readonly kind: "open"; readonly url: string; readonly host: string }
  /** Shown as text, with why it cannot be followed. */
  | { readonly kind: "plain"; readonly address: string; readonly why: string };

/** Judges an address as it was written. It is never taken relative to the page. */
export function judgeLink(address: string): LinkTarget {
  const refuse = (why: string): LinkTarget => ({ kind: "plain", address, why });
  if (!/^https?:\/\//i.test(address.trim())) return refuse("not a web address");
  const url = parse(address.trim());
  if (url === null || url.hostname === "") return refuse("not a web address");
  if (url.username !== "" || url.password !== "") return refuse("its name before the @ hides the host");
  // The host as it was written, before it is normalised: letters of another script look like ours.
  const written = decoded(/^https?:[/\\]+([^/?#\\]*)/i.exec(address.trim())?.[1] ?? "");
  if (/[^\u0000-\u007f]/.test(written) || url.hostname.split(".").some((label) => label.startsWith("xn--")))
    return refuse(`its host is really ${url.hostname}`);
  return { kind: "open", url: url.href, host: url.host };
}

/** Whether `text` names another host than the link's own, or none, so that the host must stand beside it. */
export function hidesHost(text: string, host: string): boolean {
  const said = text.trim().toLowerCase();
  return said !== host && !said.startsWith(`${host}/`) && parse(said)?.host !== host;
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    // What is no address is data here, not a mistake.
    return null;
  }
}

/** Without escapes; what is escaped wrongly stays as it was written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape stays as it was written.
    return text;
  }
}
