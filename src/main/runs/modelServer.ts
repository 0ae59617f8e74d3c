// Which model server a run talks to when nobody names one, and whether it can do without a key. One rule for the
// terminal and for the window.

/** The server of a run that names none, and of an environment that does not either. */
const defaultBaseUrl = "https://api.openai.com/v1";

/** The address that was named, else `OPENAI_BASE_URL`, else OpenAI's. */
export function baseUrlOf(named: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  return named ?? (env["OPENAI_BASE_URL"]?.trim() || defaultBaseUrl);
}

/** A server on this machine may need no key; any other does. */
export function isOnThisMachine(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
