// Commands that look after what runs leave, and at what is reachable from here.

import {
  collectGarbage,
  deleteRun,
  listAgents,
  listModels,
  type ModelFlags,
  pinRun,
  restoreWork,
} from "../careCommands.ts";
import type { CommonFlags, Grammar } from "./grammar.ts";

export function defineCareCommands({ command, carryOut }: Grammar): void {
  command("restore [run] [subagent]", "list work that did not land, or bring it back on a branch").action(
    (run: string | undefined, id: string | undefined, flags: CommonFlags) =>
      carryOut(flags, (invocation) => restoreWork(invocation, run, id)),
  );
  command("delete <run>", "delete a stopped run: its journal and its hidden refs").action(
    (run: string, flags: CommonFlags) => carryOut(flags, (invocation) => deleteRun(invocation, run)),
  );
  command("pin <run>", "keep a run whatever its age")
    .option("--off", "take the pin off")
    .action((run: string, flags: CommonFlags & { readonly off?: boolean }) =>
      carryOut(flags, (invocation) => pinRun(invocation, run, flags.off !== true)),
    );
  command("gc", "remove what nobody can need any more").action((flags: CommonFlags) => carryOut(flags, collectGarbage));
  command("models", "which models answer here")
    .option("--base-url <url>", "an OpenAI-compatible server (else OPENAI_BASE_URL)")
    .option("--api-key-file <file>", "a file with the key (else OPENAI_API_KEY)")
    .action((flags: CommonFlags & ModelFlags) => carryOut(flags, (invocation) => listModels(invocation, flags)));
  command("agents", "which agents can work here").action((flags: CommonFlags) => carryOut(flags, listAgents));
}
