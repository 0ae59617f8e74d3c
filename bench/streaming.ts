// How a live run keeps its frames while 50 subagents stream: driven by the real engine over a scripted model, shown by the
// built renderer with the transcript of one of them open; in turn with an empty page, while the run goes on behind it.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import type { Page } from "@playwright/test";

import {
  completionChunk,
  type ScriptedEntry,
  type ScriptedTurn,
  startScriptedModel,
} from "../test/support/scriptedModel.ts";
import { createTempRepository } from "../test/support/tempRepository.ts";
import { openChromium } from "../e2e/fixtures/chromium.ts";
import { inBenchFolder } from "./benchFolder.ts";
import { type EmptyPage, framesOf, openPage, openSession, serveEmptyPage } from "./browser.ts";
import type { Bench, Figure } from "./figures.ts";

const agentCount = 50;
/** What each says: a piece of a few words so often, then a call, and the next turn. */
const pieceMs = 100;
const piecesATurn = 80;
/** A frame that took longer is one that a person notices. */
const longFrameMs = 50;

const rounds = 4;
const settleMs = 2_000;
const sampleMs = 8_000;

export const streaming: Bench = {
  name: "streaming",
  measure: () =>
    inBenchFolder(async (home) => {
      const repository = createTempRepository({ "read.txt": "one\ntwo\nthree\n" });
      const model = await startScriptedModel(script);
      const shell = await openShell(home, repository.folder, model.baseUrl);
      const empty = await serveEmptyPage();
      try {
        return await measureFrames(shell, empty);
      } finally {
        if (shell.process.connected) {
          const ended = once(shell.process, "exit");
          shell.process.disconnect();
          await ended;
        }
        await Promise.all([model.close(), empty.close()]);
        repository.cleanup();
      }
    }),
};

interface StreamingShell {
  readonly process: ChildProcess;
  readonly url: string;
  /** The address of the run, below the server's, with one of its subagents selected. */
  readonly place: string;
}

async function openShell(home: string, folder: string, baseUrl: string): Promise<StreamingShell> {
  const child = fork(join(import.meta.dirname, "streamingShell.ts"), [home, folder, baseUrl, String(agentCount)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    // Prompts and prices are imported as texts, which only a bundler does by itself.
    execArgv: ["--import", join(import.meta.dirname, "../test/support/rawModules.ts")],
  });
  if (child.stdout === null) throw new Error("The shell has no output.");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const [url, run] = [await line(), await line()];
  return { process: child, url, place: new URL(`/?run=${run}&agent=subagent-7`, url).href };
}

async function measureFrames(shell: StreamingShell, empty: EmptyPage): Promise<readonly Figure[]> {
  const browser = await openChromium();
  try {
    const page = await openPage(browser, await openSession(browser, shell.url));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(empty.url);
      theirs.push(...(await settledFrames(page)));
      await showStreaming(page, shell);
      ours.push(...(await settledFrames(page)));
    }
    return figuresOf(ours, theirs);
  } finally {
    await browser.close();
  }
}

/** Opens the run with the transcript of one subagent, once all of them stream. */
async function showStreaming(page: Page, { place }: StreamingShell): Promise<void> {
  await page.goto(place);
  await page
    .locator(".node[data-standing=working]")
    .nth(agentCount - 1)
    .waitFor();
  await page.getByRole("tab", { name: "Transcript" }).click();
  await page.getByText("Being said").waitFor();
}

async function settledFrames(page: Page): Promise<readonly number[]> {
  await sleep(settleMs);
  return framesOf(page, sampleMs);
}

function figuresOf(ours: readonly number[], theirs: readonly number[]): readonly Figure[] {
  const against = "an empty page";
  const long = (frames: readonly number[]) => ({
    count: frames.filter((ms) => ms > longFrameMs).length,
    of: frames.length,
  });
  const what = `${agentCount} subagents streaming`;
  return [
    { what: `${what}: frames over ${longFrameMs} ms`, ours: long(ours), against, theirs: long(theirs), goalCount: 0 },
    { what: "the worst frame", ours: Math.max(...ours), against, theirs: Math.max(...theirs), goal: 3 },
    { what: "nineteen of twenty frames within", ours: slow(ours), against, theirs: slow(theirs), goal: 1.5 },
  ];
}

/** The frame that nineteen of twenty are no longer than. */
function slow(frames: readonly number[]): number {
  return frames.toSorted((left, right) => left - right)[Math.floor(frames.length * 0.95)] ?? Number.NaN;
}

const ids = Array.from({ length: agentCount }, (_, index) => `subagent-${index + 1}`);
const spawns = ids.map((id) => ({
  name: "spawnSubagent",
  args: { task: `READ what ${id} is to read, and sum it up.` },
}));
/** As many as one turn of the lead may spawn. */
const spawnTurns = Array.from({ length: agentCount / 10 }, (_, turn) => ({
  calls: spawns.slice(10 * turn, 10 * turn + 10),
}));

const script: readonly ScriptedEntry[] = [
  {
    match: /^Read all/,
    turns: [...spawnTurns, { calls: [{ name: "waitForSubagents", args: { subagentIds: ids } }] }, { text: "Done." }],
  },
  { match: /^READ/, turns: [(_, answered): ScriptedTurn => ({ stream: speech(answered) })] },
];

const words = "the journal keeps what was said and a line of it stands **here**, in `read.txt`, as it came\n\n".split(
  " ",
);

async function* speech(answered: number): AsyncGenerator<object> {
  for (let piece = 0; piece < piecesATurn; piece++) {
    yield completionChunk({ content: `${words[piece % words.length]} ` });
    await sleep(pieceMs);
  }
  const call = { index: 0, id: `call_${answered}`, type: "function" };
  const read = { name: "readFile", arguments: JSON.stringify({ path: "read.txt", startLine: 1 + (answered % 3) }) };
  yield completionChunk({ tool_calls: [{ ...call, function: read }] });
  yield completionChunk({}, "tool_calls");
}
