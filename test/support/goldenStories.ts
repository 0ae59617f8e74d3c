// The runs that a release leaves behind as its golden histories: told in full, and random walks that reach most of what
// can happen to a run. The same seeds tell the same runs for as long as the rules are the same.

import fc from "fast-check";

import type { RunEvent } from "../../src/main/domain/events.ts";
import { fold } from "../../src/main/domain/evolve.ts";
import { forkJournal } from "../../src/main/domain/fork.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import { soundJournal } from "./journals.ts";
import { chooseCommand } from "./randomCommands.ts";
import { pickFrom } from "./pick.ts";
import { Story, type StoryOptions } from "./runStory.ts";

const walks: Readonly<Record<string, { readonly seed: number; readonly options: StoryOptions["options"] }>> = {
  "walk-each": { seed: 11, options: { approve: "each", verify: ["npm test"] } },
  "walk-auto": { seed: 23, options: { approve: "auto", worktrees: "off" } },
  "walk-final": { seed: 37, options: { approve: "final" } },
};

/** Journals by name; each run has an id of its own. */
export function goldenStories(): Readonly<Record<string, readonly RunEvent[]>> {
  const told = Object.entries(walks).map(([name, { seed, options }], index) => {
    const [numbers = []] = fc.sample(fc.array(fc.nat({ max: 0xffff }), { minLength: 1_600, maxLength: 1_600 }), {
      numRuns: 1,
      seed,
    });
    const story = new Story({ ...(options === undefined ? {} : { options }), budget: { steps: 200 }, wallMs: 600_000 });
    const pick = pickFrom(numbers);
    for (let step = 0; step < 400; step++) story.apply(chooseCommand(story.state, pick));
    return [name, renamed(story.events, `goldenwalk${index}`)] as const;
  });
  const whole = soundJournal();
  return { whole, fork: forkOf(whole), ...Object.fromEntries(told) };
}

function renamed(events: readonly RunEvent[], run: string): readonly RunEvent[] {
  return JSON.parse(JSON.stringify(events).replaceAll("r1", run)) as readonly RunEvent[];
}

function forkOf(journal: readonly RunEvent[]): readonly RunEvent[] {
  const history = journal.slice(0, Math.floor(journal.length / 2));
  const base = fold(history)?.line;
  if (base === undefined) throw new Error("a fork needs a moment");
  const target = { branch: "coppice/pay-goldenfork", ref: "refs/heads/coppice/pay-goldenfork" };
  return forkJournal(history, { run: "goldenfork" as RunId, base, target, now: 9_000_000 });
}
