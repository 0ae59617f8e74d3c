// The form of a new run, filled in as an earlier one was assigned. Handed over once, to the next form that opens.

import { policyName } from "../../../shared/contract/policy.ts";
import type { AssignmentPage } from "../../../shared/contract/runPages.ts";
import { emptyDraft } from "./order.ts";
import type { Draft } from "./order.ts";
import { keepText } from "../../ui/keep.ts";

const storageKey = "coppice.again";

export function keepAgain(storage: Storage, assignment: AssignmentPage): void {
  keepText(storage, storageKey, JSON.stringify(draftOf(assignment)));
}

/** What was handed over; `null` for nothing. It stays until `forgetAgain`. */
export function recallAgain(storage: Storage): Draft | null {
  const text = storage.getItem(storageKey);
  // Written by this very page: see above.
  return text === null ? null : (JSON.parse(text) as Draft);
}

export function forgetAgain(storage: Storage): void {
  storage.removeItem(storageKey);
}

/** Every choice of the run; what the form has no field for goes along unseen, and is said. */
export function draftOf(assignment: AssignmentPage): Draft {
  const { folder, task, model, roleModels, baseUrl, approve, commands, landOn, verify, setup, policy, ...others } =
    assignment;
  const { setupNetwork = null, workflow, leadEdits, topology = "supervisor", mayMessage = [], ...more } = others;
  const { delegation, approvePlan = false, ...rest } = more;
  return {
    ...emptyDraft,
    folder,
    task,
    model,
    roleModels,
    baseUrl,
    workers: workersOf({ workflow, leadEdits, delegation }),
    topology,
    mayMessage: mayMessage.map(({ from, to }) => `${from} > ${to}`).join("\n"),
    approvePlan,
    policy: policyName(policy),
    approve,
    commands,
    landOn: landOn.kind,
    branch: landOn.kind === "branch" ? landOn.name : "",
    verify: verify.join("\n"),
    setup: setup.join("\n"),
    setupNetwork,
    // An empty field means what the repository brings; of this run it meant nothing.
    skipsCommands: verify.length === 0 || setup.length === 0,
    rest,
  };
}

function workersOf({
  workflow,
  leadEdits,
  delegation,
}: {
  readonly [K in "workflow" | "leadEdits" | "delegation"]: AssignmentPage[K] | undefined;
}): Draft["workers"] {
  if (workflow === "off" || delegation === "off") return "alone";
  if (delegation === "direct") return "direct";
  return leadEdits === true ? "leadEdits" : "team";
}
