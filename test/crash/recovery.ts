// Deaths at the moments that matter most to recovery: a request under way, and a call between its record and its end.

import { type Bench, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** The process is killed as soon as it has printed the event, of the tool if one is named. */
const moments: readonly { readonly type: string; readonly tool?: string }[] = [
  { type: "model.requested" },
  { type: "tool.dispatched", tool: "applyEdit" },
  { type: "tool.dispatched", tool: "runCommand" },
  { type: "changeset.landing" },
];

export const recovery: Part = { name: "Deaths in an effect", rows: ["T2", "T7", "T9", "T18", "M2"], run: runRecovery };

async function runRecovery(bench: Bench): Promise<Report> {
  const deaths: string[] = [];
  const { done, faults } = await inTurn(
    bench,
    // The landing is what other parts come to anyway.
    (bench.isShort ? moments.slice(0, 3) : moments).map((moment) => () => dieAt(bench, moment, deaths)),
  );
  return { rounds: done, figures: `${deaths.length} deaths: ${deaths.join(", ")}`, faults };
}

async function dieAt(
  bench: Bench,
  { type, tool }: (typeof moments)[number],
  deaths: string[],
): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const killed = desk.start(beginArgs(desk), {
    cli,
    onEvent: (event, child) => {
      if (event.type === type && (tool === undefined || event.data["tool"] === tool)) child.kill("SIGKILL");
    },
  });
  const ended = await killed.ended;
  if (ended.signal === "SIGKILL") deaths.push(tool ?? type);
  const printed = wholeLines(ended.stdout);
  const run = printed[0]?.root;
  if (run === undefined) return [`killed at ${type}: nothing was printed`];
  const resumed = await desk.coppice(["resume", run, "--json"], { cli });
  return (await faultsOf(desk, run, printed, resumed)).map((fault) => `killed at ${tool ?? type}: ${fault}`);
}
