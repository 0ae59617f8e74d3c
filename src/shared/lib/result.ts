// Outcomes that cross a boundary as values: an error does not survive a structured clone, so it is data.

/** What a request answers with when it could not be carried out. `code` is UPPER_SNAKE and stable; `message` says what failed, on what, and what to do. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
  readonly details?: unknown;
}

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<E = Failure>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
