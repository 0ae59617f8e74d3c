// What quitting would interrupt, in numbers. Pure; index.ts asks.

import type { MessageBoxOptions } from "electron";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";

export const quitButton = 1;

const atWork = new Set(["running", "submitting", "landing"]);
const maxNamed = 3;

/** The question before quitting; the first button, and Escape, keep the work going. `null`: nothing is at work. `runs`: those driven by this process. */
export function askToQuit(runs: readonly RunSnapshot[]): MessageBoxOptions | null {
  const working = runs.filter(({ status }) => status !== "stopped");
  if (working.length === 0) return null;
  const agents = working.reduce((sum, run) => sum + workingAgents(run), 0);
  const waiting = working.reduce((sum, { approvals }) => sum + approvals.length, 0);
  const named = working.slice(0, maxNamed).map(({ title }) => `“${title.slice(0, 80)}”`);
  const more = working.length > maxNamed ? [`and ${countOf(working.length - maxNamed, "more run")}`] : [];
  const waits = waiting === 0 ? "" : ` ${countOf(waiting, "question")} for you will still be open.`;
  return {
    type: "warning",
    message: `${countOf(working.length, "run")} and ${countOf(agents, "agent")} are at work. Stop them and quit?`,
    detail: `${[...named, ...more].join("\n")}\n\nThey stop where they are, and what they have done is kept. Resume continues each from there.${waits}`,
    buttons: ["Keep Working", "Stop and Quit"],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}

/** The lead counts while its run goes on. */
function workingAgents({ status, subagents }: RunSnapshot): number {
  const lead = status === "running" ? 1 : 0;
  return lead + subagents.filter((one) => atWork.has(one.status)).length;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
