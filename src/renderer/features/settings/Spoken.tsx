// What the settings say of something they have done.

import type { Said } from "./useCare.ts";

/** What is being done, what came of it, or what it would do. */
export function Spoken({ said, busy, rest }: { readonly said: Said; readonly busy: string; readonly rest: string }) {
  return (
    <p role="status" className={typeof said === "object" && said?.isBad === true ? "bad" : "quiet"}>
      {said === "busy" ? busy : (said?.text ?? rest)}
    </p>
  );
}
