// Where keys of model servers are kept: in the system's keychain where the application has one, else nowhere. A key that it
// gives is for one request; nobody stores, logs or shows it.

import type { Result } from "../../../shared/lib/result.ts";

export interface KeyStore {
  /** What people call the place, such as "the keychain of this Mac"; `null`: no key can be kept here. */
  readonly place: string | null;
  /** The key under this name; `null` when there is none. Never rejects: a place that cannot be opened has none. */
  find(name: string): Promise<string | null>;
  /** Keeps a key in place of an earlier one. Code `NO_KEYCHAIN`, with why and what to do instead. Throws `STORE_UNAVAILABLE` where the others could be lost by it. */
  keep(name: string, key: string): Promise<Result<null>>;
  /** A key that is not there is forgotten already. Throws as `keep` does. */
  forget(name: string): Promise<Result<null>>;
}
