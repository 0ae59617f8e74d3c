// How a live run keeps its frames while 50 subagents stream: driven by the real engine over a scripted model, shown by the
// built renderer with the transcript of one of them open; in turn with an empty page, while the run goes on behind it.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import type { Browser, Page } from "@playwright/test";

import { startScriptedModel } from "../test/support/scriptedModel.ts";
import { createTempRepository } from "../test/support/tempRepository.ts";
import { inBenchFolder } from "./benchFolder.ts";
import {
  type EmptyPage,
  inBrowser,
  openPage,
  openSession,
  serveEmptyPage,
  type Watched,
  watchPage,
} from "./browser.ts";
import type { Bench, Figure } from "./figures.ts";
import { createTalkingTeam, type TalkingTeam, teamFiles, teamTask } from "./talkingTeam.ts";

const agentCount = 50;
/** A frame that took longer is one that a person notices. */
const longFrameMs = 50;

const rounds = 4;
const settleMs = 2_000;
const sampleMs = 8_000;

export const streaming: Bench = {
  name: "streaming",
  about:
    "The frames of a window while every subagent of a large run speaks, ten pieces a second each, and the transcript of one is open. The engine, the scripted model server and the browser share the machine. Frames depend on what else it does, so the longest task of the page stands beside them in processor time: half of the 50 ms that a person notices leaves room for a machine of half the speed.",
  measure: () =>
    inBenchFolder(async (home) => {
      const repository = createTempRepository(teamFiles);
      const team = createTalkingTeam(agentCount);
      const model = await startScriptedModel(team.script);
      const empty = await serveEmptyPage();
      const shell = await openShell(home, repository.folder, model.baseUrl);
      try {
        return await inBrowser((browser) => measureFrames(browser, { shell, empty, team }));
      } finally {
        await shell.close();
        await Promise.all([model.close(), empty.close()]);
        repository.cleanup();
      }
    }),
};

interface Parts {
  readonly shell: StreamingShell;
  readonly empty: EmptyPage;
  readonly team: TalkingTeam;
}

interface StreamingShell {
  readonly url: string;
  /** The address of the run, below the server's, with one of its subagents selected. */
  readonly place: string;
  close(): Promise<void>;
}

async function openShell(home: string, folder: string, baseUrl: string): Promise<StreamingShell> {
  const child = fork(
    join(import.meta.dirname, "streamingShell.ts"),
    [home, folder, baseUrl, String(agentCount), teamTask],
    {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // Prompts and prices are imported as texts, which only a bundler does by itself.
      execArgv: ["--import", join(import.meta.dirname, "../test/support/rawModules.ts")],
    },
  );
  if (child.stdout === null) throw new Error("The shell has no output.");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const [url, run] = [await line(), await line()];
  return { url, place: new URL(`/?run=${run}&agent=subagent-7`, url).href, close: () => letGo(child) };
}

/** It ends by itself once nobody is connected to it. */
async function letGo(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

async function measureFrames(browser: Browser, { shell, empty, team }: Parts): Promise<readonly Figure[]> {
  const page = await openPage(browser, await openSession(browser, shell.url));
  const ours: Watched[] = [];
  const theirs: Watched[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.goto(empty.url);
    theirs.push(await watchSettled(browser, page));
    await showStreaming(page, shell);
    team.heardCount();
    ours.push(await watchSettled(browser, page));
    const count = team.heardCount();
    if (count < agentCount) throw new Error(`${count} of ${agentCount} subagents streamed while the page was watched.`);
  }
  return figuresOf(joined(ours), joined(theirs));
}

/** Opens the run with the transcript of one subagent, once all of them are at work. */
async function showStreaming(page: Page, { place }: StreamingShell): Promise<void> {
  await page.goto(place);
  await page
    .locator(".node[data-standing=working]")
    .nth(agentCount - 1)
    .waitFor();
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("Being said").waitFor();
}

async function watchSettled(browser: Browser, page: Page): Promise<Watched> {
  await sleep(settleMs);
  return watchPage(browser, page, sampleMs);
}

function joined(rounds: readonly Watched[]): Watched {
  return {
    frames: rounds.flatMap(({ frames }) => frames),
    longestTaskMs: Math.max(...rounds.map(({ longestTaskMs }) => longestTaskMs)),
  };
}

function figuresOf(ours: Watched, theirs: Watched): readonly Figure[] {
  const against = "an empty page";
  const what = `${agentCount} subagents streaming`;
  const frames = { ours: ours.frames, theirs: theirs.frames };
  return [
    { what: `${what}: frames over ${longFrameMs} ms`, ...eachOf(frames, longIn), against, goalCount: 0 },
    { what: "the worst frame", ...eachOf(frames, (one) => Math.max(...one)), against, goal: 3 },
    { what: "nineteen of twenty frames within", ...eachOf(frames, slowIn), against, goal: 1.5 },
    {
      what: "the longest task of the page, processor time",
      ours: ours.longestTaskMs,
      against: `the ${longFrameMs} ms`,
      theirs: longFrameMs,
      goal: 0.5,
    },
  ];
}

type Frames = readonly number[];

function eachOf<T>({ ours, theirs }: { readonly ours: Frames; readonly theirs: Frames }, of: (frames: Frames) => T) {
  return { ours: of(ours), theirs: of(theirs) };
}

function longIn(frames: Frames) {
  return { count: frames.filter((ms) => ms > longFrameMs).length, of: frames.length };
}

/** The frame that nineteen of twenty are no longer than. */
function slowIn(frames: Frames): number {
  return frames.toSorted((left, right) => left - right)[Math.floor(frames.length * 0.95)] ?? Number.NaN;
}
