// Keys where there is no keychain (browser mode, the command line): none is kept, and a plain-text fallback is refused.

import type { KeyStore } from "../engine/ports/keys.ts";
import { fail, succeed } from "../../shared/lib/result.ts";

export const noKeychain: KeyStore = {
  place: null,
  find: () => Promise.resolve(null),
  keep: () =>
    Promise.resolve(
      fail({
        code: "NO_KEYCHAIN",
        message:
          "Coppice has no keychain here and never writes a key to a file. Put it into an environment variable before you start Coppice, and name the variable.",
      }),
    ),
  forget: () => Promise.resolve(succeed(null)),
};
