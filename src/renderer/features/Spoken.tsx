// What is said of something that was done by `useCare`. Lies beside the features, as that does.

import type { Said } from "./useCare.ts";

/** Why it could not be done; nothing while it can. For what is seen to be done without a word. */
export function NotDone({ said }: { readonly said: Said }) {
  return typeof said === "object" && said?.isBad === true ? (
    <p role="alert" className="bad">
      {said.text}
    </p>
  ) : null;
}

/** What is being done, what came of it, or what it would do. */
export function Spoken({ said, busy, rest }: { readonly said: Said; readonly busy: string; readonly rest: string }) {
  return (
    <p role="status" className={typeof said === "object" && said?.isBad === true ? "bad" : "quiet"}>
      {said === "busy" ? busy : (said?.text ?? rest)}
    </p>
  );
}
