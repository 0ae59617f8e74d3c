// Codes of requests that could not be carried out: what each means and whether asking again may help.
// A code is UPPER_SNAKE, worded by subject, and the same in CLI, journal and UI.

export interface ErrorCode {
  /** Asking again, unchanged, may succeed. */
  readonly isRetryable: boolean;
  /** `2`: usage or configuration, nothing was started. `5`: driven elsewhere, or the store is unavailable. `1`: it could not be. */
  readonly exitCode: 1 | 2 | 5;
}

export const errorCodes = {
  BAD_USAGE: { isRetryable: false, exitCode: 2 },
  BAD_CONFIGURATION: { isRetryable: false, exitCode: 2 },
  ROLE_INVALID: { isRetryable: false, exitCode: 2 },
  TEMPLATE_UNKNOWN: { isRetryable: false, exitCode: 2 },
  TEMPLATE_INVALID: { isRetryable: false, exitCode: 2 },
  NOT_STARTED: { isRetryable: false, exitCode: 2 },
  COMMANDS_UNTRUSTED: { isRetryable: false, exitCode: 2 },
  NO_MODEL: { isRetryable: false, exitCode: 2 },
  NO_KEYCHAIN: { isRetryable: false, exitCode: 2 },
  NO_PRICE: { isRetryable: false, exitCode: 2 },
  REPOSITORY_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  REPOSITORY_MOVED: { isRetryable: false, exitCode: 2 },
  REPOSITORY_DIFFERS: { isRetryable: false, exitCode: 2 },
  REPOSITORY_UNREADABLE: { isRetryable: false, exitCode: 2 },
  NOT_A_REPOSITORY: { isRetryable: false, exitCode: 2 },
  BARE_REPOSITORY: { isRetryable: false, exitCode: 2 },
  NO_COMMITS: { isRetryable: false, exitCode: 2 },
  UNSAFE_OWNER: { isRetryable: false, exitCode: 2 },
  GIT_MISSING: { isRetryable: false, exitCode: 2 },
  BAD_BRANCH_NAME: { isRetryable: false, exitCode: 2 },
  RUN_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  RUN_AMBIGUOUS: { isRetryable: false, exitCode: 2 },
  CASSETTE_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  CASSETTE_INVALID: { isRetryable: false, exitCode: 2 },
  CASSETTE_TOO_NEW: { isRetryable: false, exitCode: 2 },
  CASSETTE_UNWRITABLE: { isRetryable: true, exitCode: 2 },
  LANDING_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  CHANGE_SET_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  NOTE_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  APPROVAL_NOT_FOUND: { isRetryable: false, exitCode: 2 },
  UNKNOWN_SUBAGENT: { isRetryable: false, exitCode: 2 },
  UNKNOWN_HUNK: { isRetryable: false, exitCode: 2 },
  ALREADY_DECIDED: { isRetryable: false, exitCode: 1 },
  CHANGE_SET_HELD: { isRetryable: true, exitCode: 1 },
  RUN_PINNED: { isRetryable: false, exitCode: 1 },
  NOTHING_TO_LAND: { isRetryable: false, exitCode: 1 },
  NOTHING_TO_UNDO: { isRetryable: false, exitCode: 1 },
  COMMIT_MISSING: { isRetryable: false, exitCode: 1 },
  RUN_READ_ONLY: { isRetryable: false, exitCode: 1 },
  NO_BACKUP: { isRetryable: false, exitCode: 1 },
  CARE_FAILED: { isRetryable: true, exitCode: 1 },
  RUN_EXISTS: { isRetryable: false, exitCode: 1 },
  ARCHIVE_UNWRITABLE: { isRetryable: true, exitCode: 2 },
  ARCHIVE_UNREADABLE: { isRetryable: false, exitCode: 2 },
  ARCHIVE_FOREIGN: { isRetryable: false, exitCode: 2 },
  ARCHIVE_DAMAGED: { isRetryable: false, exitCode: 2 },
  ARCHIVE_TOO_NEW: { isRetryable: false, exitCode: 2 },
  BUNDLE_UNUSABLE: { isRetryable: false, exitCode: 2 },
  ARCHIVE_TOO_LARGE: { isRetryable: false, exitCode: 2 },
  NOTHING_PINNED: { isRetryable: false, exitCode: 1 },
  RUN_STOPPED: { isRetryable: false, exitCode: 1 },
  PLACE_NOT_FOUND: { isRetryable: false, exitCode: 1 },
  NOT_HERE: { isRetryable: false, exitCode: 1 },
  NOT_ALLOWED_NOW: { isRetryable: true, exitCode: 1 },
  DRIVEN_ELSEWHERE: { isRetryable: true, exitCode: 5 },
  STALE_LEASE: { isRetryable: false, exitCode: 5 },
  STORE_UNAVAILABLE: { isRetryable: true, exitCode: 5 },
  STORE_TOO_NEW: { isRetryable: false, exitCode: 5 },
  STORE_FOREIGN: { isRetryable: false, exitCode: 5 },
  STORE_IN_USE: { isRetryable: true, exitCode: 5 },
  STORE_CORRUPT: { isRetryable: false, exitCode: 5 },
  JOURNAL_DAMAGED: { isRetryable: false, exitCode: 5 },
  ENDPOINT_INVALID: { isRetryable: false, exitCode: 2 },
  UNEXPECTED: { isRetryable: false, exitCode: 1 },
} as const satisfies { readonly [code: string]: ErrorCode };

export type KnownErrorCode = keyof typeof errorCodes;

export function findErrorCode(code: string): ErrorCode | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as KnownErrorCode] : undefined;
}

/** A request that could not be carried out, inside one process. It crosses a boundary as a `Failure`. */
export class WorkbenchError extends Error {
  readonly code: string;
  readonly details: unknown;

  constructor(code: string, message: string, options: { readonly details?: unknown; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "WorkbenchError";
    this.code = code;
    this.details = options.details;
  }
}
