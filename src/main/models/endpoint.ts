// Where a model server is, and how it may be spoken of: no message ever holds a key or a password.

export interface Endpoint {
  /** As the person gave it, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** `null`: the server asks for none. Never stored, logged or shown. */
  readonly apiKey: string | null;
  /** Stands in for the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** An endpoint that was looked at: `problem` says why no request can be made at all, in words for the person. */
export interface CheckedEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Host and port, for messages. */
  readonly host: string;
  readonly problem: { readonly code: "ENDPOINT_INVALID" | "AUTH_FAILED"; readonly message: string } | null;
}

/** Looks at an endpoint without using the network. Never throws. */
export function checkEndpoint(endpoint: Endpoint): CheckedEndpoint {
  const apiKey = endpoint.apiKey?.trim() || null;
  const given = endpoint.baseUrl.trim().replace(/\/+$/, "");
  const url = URL.parse(given);
  const checked = { baseUrl: given, apiKey, host: url?.host ?? "", problem: null };
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const message = `"${maskSecrets(given, apiKey)}" is not a base URL. Give one such as http://127.0.0.1:11434/v1.`;
    return { ...checked, problem: { code: "ENDPOINT_INVALID", message } };
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    const message = `The base URL of ${url.host} holds a user name, a password or a query. Give the bare address, and the key as the API key.`;
    return { ...checked, problem: { code: "ENDPOINT_INVALID", message } };
  }
  if (apiKey !== null && /[^\x21-\x7e]/.test(apiKey)) {
    const message = `The API key for ${url.host} holds a character that no key can have (a blank, a line break, a quotation mark that is not plain). Copy it anew.`;
    return { ...checked, problem: { code: "AUTH_FAILED", message } };
  }
  return checked;
}

/** What to try when a server has no chat endpoint at this base URL. */
export function suggestBaseUrl(baseUrl: string): string {
  const stripped = baseUrl.replace(/\/chat\/completions$/, "");
  if (stripped !== baseUrl) return `Try the base URL ${stripped}: /chat/completions is added to it.`;
  if (!/\/v\d+[a-z\d]*(\/|$)/.test(baseUrl)) return `Try the base URL ${baseUrl}/v1.`;
  return `Check the base URL ${baseUrl}.`;
}

/** Shorter ones are placeholders such as `none`, and words of their own. */
const shortestSecret = 6;

/** The text without keys: neither this endpoint's own nor what looks like one. */
export function maskSecrets(text: string, apiKey: string | null): string {
  const withoutOwn = apiKey !== null && apiKey.length >= shortestSecret ? text.replaceAll(apiKey, "[key]") : text;
  return withoutOwn
    .replace(/\b(?:sk|pk|rk|gsk|xai|key)-[\w*.-]{4,}/gi, "[key]")
    .replace(/\bAIza[\w-]{8,}/g, "[key]")
    .replace(/\bBearer\s+(?!\[key\])[\w.~+/=-]{4,}/gi, "Bearer [key]")
    .replace(/\/\/[^\s/@]+@/g, "//[key]@");
}
