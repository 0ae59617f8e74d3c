// Verifies the replay of a run: its recorded inputs given to the rules of this build. Reads a journal and nothing else;
// no effect is carried out, and no model asked.

import { createHash } from "node:crypto";

import { builtInRoles } from "../agents/roles.ts";
import { isControlTool, parseControl } from "../agents/tools/control.ts";
import type { RunEvent } from "../domain/events.ts";
import { rolesOf } from "../domain/roles.ts";
import { type Redecided, redecide } from "../domain/redecide/redecide.ts";

/** What the rules of this build make of what a merged journal recorded from outside, beside what those of then made of it. */
export function decideAgain(journal: readonly RunEvent[]): Redecided {
  const [created] = journal;
  const own = created?.type === "run.created" ? (created.data.roles ?? []) : [];
  return redecide(journal, {
    roles: rolesOf(own, builtInRoles),
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    parse: ({ tool, arguments: text }) => {
      const parsed = isControlTool(tool) ? parseControl(tool, text) : null;
      return parsed?.ok === true ? parsed.value : null;
    },
  });
}
