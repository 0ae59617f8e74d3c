// How far the checks of a change set are that are being run now.

import type { ChangesPage } from "../../shared/contract/pages.ts";
import type { ChangeSetState } from "../domain/state.ts";

/** `verify`: the commands, in the order that they are run in. Of what is proposed it is known from the beginning that they will be; of what lands, once one has been run on it. */
export function checkingOf(
  verify: readonly string[],
  { status, tree, verifications }: Pick<ChangeSetState, "status" | "tree" | "verifications">,
): ChangesPage["checking"] {
  const checked = status === "proposed" ? tree : status === "approved" ? verifications.at(-1)?.tree : undefined;
  if (checked === undefined || (status === "approved" && checked === tree)) return null;
  const ran = new Set(verifications.filter((one) => one.tree === checked).map(({ command }) => command));
  const done = verify.filter((command) => ran.has(command)).length;
  return done < verify.length ? { done, total: verify.length } : null;
}
