// Commands that a repository brings along, before a run begins: shown, asked about where somebody can be asked, and kept as
// trusted. None of them is run from here.

import { createInterface } from "node:readline/promises";
import { fail, type Failure, type Result, succeed } from "../../../shared/lib/result.ts";
import type { Assignment } from "../../runs/assignment.ts";
import type { BroughtCommands } from "../../workbench.ts";
import { plainText } from "./human/plainText.ts";
import type { Output } from "./output.ts";
import type { Invocation } from "./invocation.ts";

/** `ask`: in a terminal; without one the run is refused. `trust`: from now on. `skip`: this run goes without them. */
export type RepositoryCommandMode = "ask" | "trust" | "skip";

/** The assignment with what was decided about the commands that its repository brings. Codes: those of `broughtCommands`, `NOT_STARTED`. */
export async function settleRepositoryCommands(
  { workbench, output, isAttended }: Invocation,
  assignment: Assignment,
  mode: RepositoryCommandMode,
): Promise<Result<Assignment>> {
  if (mode === "skip") return succeed({ ...assignment, repositoryCommands: "skip" });
  const brought = await workbench.broughtCommands(assignment);
  if (!brought.ok) return brought;
  // Without a terminal the run is refused with these commands in the message.
  if (brought.value === null || brought.value.isTrusted || (mode === "ask" && !isAttended)) return succeed(assignment);
  const said = mode === "trust" ? "trust" : await ask(brought.value, output);
  if (said === "nothing") return fail(nothingStarted);
  if (said === "skip") return succeed({ ...assignment, repositoryCommands: "skip" });
  await workbench.trustCommands(brought.value);
  return succeed(assignment);
}

const nothingStarted: Failure = { code: "NOT_STARTED", message: "Nothing was started." };

async function ask(brought: BroughtCommands, output: Output): Promise<"trust" | "skip" | "nothing"> {
  const { commit, used, confinement } = brought;
  output.line(output.style.amber(`.coppice/config.json at ${commit.slice(0, 7)} brings commands:`));
  const withNetwork = used.setupNetwork === "on" ? output.style.amber("  with the network") : "";
  for (const line of used.setup) output.line(`  set-up  ${plainText(line)}${withNetwork}`);
  for (const line of used.verify) output.line(`  check   ${plainText(line)}`);
  output.line(`Set-up runs in each new worktree, a check on each change. ${confinement}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl+C and the end of input are an answer too.
  const gone = new AbortController();
  terminal.on("SIGINT", () => gone.abort());
  terminal.on("close", () => gone.abort());
  try {
    for (;;) {
      const said = await terminal.question("[t]rust them from now on, [w]ithout them this time, [x] start nothing? ", {
        signal: gone.signal,
      });
      const answer = answers[said.trim().toLowerCase()];
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    if (gone.signal.aborted) return "nothing";
    throw error;
  } finally {
    terminal.close();
  }
}

const answers: Readonly<Record<string, "trust" | "skip" | "nothing">> = { t: "trust", w: "skip", x: "nothing" };
