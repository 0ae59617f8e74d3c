// Network errors told apart by the code that hides in their causes: "Connection error." helps nobody. Pure.

import type { ModelOutcome } from "../engine/ports/model.ts";
import { maskSecrets } from "./endpoint.ts";

/** The first error in the chain of causes, outermost first, that `test` accepts. */
export function findCause<E extends Error>(error: unknown, test: (cause: Error) => cause is E): E | null {
  // A chain of causes may loop.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (test(cause)) return cause;
  }
  return null;
}

interface CodedError extends Error {
  readonly code: string;
}

function hasCode(error: Error): error is CodedError {
  return "code" in error && typeof error.code === "string" && error.code !== "";
}

type Cut = Extract<ModelOutcome, { readonly kind: "cut" }>;

/** Where a connection failed. `hasBegun`: the answer's head had arrived, so whatever happens next cuts it. */
export interface Connection {
  readonly host: string;
  readonly apiKey: string | null;
  readonly hasBegun: boolean;
}

/** The outcome of a request whose connection failed. `came` is what had come. Hosts and ports are shown, keys never. */
export function classifyNetworkError(
  error: unknown,
  connection: Connection,
  came: Pick<Cut, "text" | "usage">,
): ModelOutcome {
  const { host } = connection;
  const code = findCause(error, hasCode)?.code ?? "";
  if (!connection.hasBegun) {
    const reason = explainUnreachable(error, code, host);
    if (reason !== null)
      return { kind: "failed", code: "ENDPOINT_UNREACHABLE", ...reason, retryAfterMs: null, text: came.text };
  }
  if (code === "UND_ERR_HEADERS_TIMEOUT")
    return { kind: "cut", code: "NO_FIRST_EVENT", message: `${host} sent no answer in time`, ...came };
  if (code === "UND_ERR_BODY_TIMEOUT")
    return { kind: "cut", code: "STREAM_STALLED", message: `${host} went silent in the middle of the answer`, ...came };
  const words =
    code === ""
      ? maskSecrets(error instanceof Error ? error.message : String(error), connection.apiKey).slice(0, 200)
      : code;
  return { kind: "cut", code: "STREAM_CUT", message: `the connection to ${host} broke off (${words})`, ...came };
}

function explainUnreachable(
  error: unknown,
  code: string,
  host: string,
): { readonly message: string; readonly retryable: boolean } | null {
  const again = (message: string) => ({ message, retryable: true });
  const never = (message: string) => ({ message, retryable: false });
  switch (code) {
    case "ECONNREFUSED":
      return again(`nothing is listening on ${host} (is the server running?)`);
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NODATA":
      return again(`the host name of ${host} is not known (is it spelled right, is the network up?)`);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EHOSTDOWN":
    case "ENETDOWN":
      return again(`there is no way to ${host} (is the network up?)`);
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      // The system tried for seconds already; trying again would make a dead endpoint look alive for a minute.
      return never(`${host} did not accept a connection in time (is the address right, is a firewall in between?)`);
  }
  if (code.startsWith("HPE_")) return never(`what listens on ${host} does not speak HTTP (is the port right?)`);
  if (/CERT|_TLS_|_SSL_|EPROTO|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return never(
      `no secure connection to ${host} (${code}): is it http:// instead of https://, is its certificate valid?`,
    );
  }
  // A port that `fetch` never opens has no code, only these words.
  if (findCause(error, (cause): cause is Error => cause.message === "bad port") === null) return null;
  return never(
    `nothing is listening on ${host} (is the server running?); fetch opens no connection to this port in any case: choose another`,
  );
}
