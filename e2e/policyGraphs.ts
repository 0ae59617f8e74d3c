// The graphs of the guide's page on policies: one small run for each way of working, and the picture that the built
// workbench draws of it. Part of `npm run screenshots`. Writes docs/images/graph-NAME.png.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { type ScriptedEntry, type ScriptedTurn, startScriptedModel } from "../test/support/scriptedModel.ts";
import { call, calls, edit, say, spawn, submit, wait } from "../test/support/scriptWords.ts";
import { createTempRepository } from "../test/support/tempRepository.ts";
import { openChromium } from "./fixtures/chromium.ts";
import { runBuilt, startServer, stop } from "./fixtures/shells.ts";

const root = join(import.meta.dirname, "..");

/** A way of working, and the run that shows it. */
interface Way {
  readonly name: string;
  readonly task: string;
  readonly options: readonly string[];
  /** What the lead does, turn by turn; a template needs no turn but the last. */
  readonly lead: readonly ScriptedTurn[];
  /** 3: it waits for a review. */
  readonly code: 0 | 3;
}

const waitFor = (count: number) => wait(Array.from({ length: count }, (_, index) => `subagent-${index + 1}`));
const answer = say("Charges are sent once now.");
const ways: readonly Way[] = [
  {
    name: "llm",
    task: "Find out why payments are charged twice.",
    options: ["--policy", "llm"],
    lead: [
      calls(
        spawn("Trace the charge through src/pay.js"),
        spawn("Read what the tests promise"),
        spawn("Look at retries and timeouts"),
      ),
      waitFor(3),
      calls(spawn("Plan the smallest fix", { role: "planner", dependsOn: ["subagent-1", "subagent-3"] })),
      waitFor(4),
      answer,
    ],
    code: 0,
  },
  {
    name: "rules",
    task: "Find out why three suites fail.",
    options: ["--policy", "rules:parallel-unless-blocked"],
    lead: [
      calls(
        spawn("Look into the payment suite"),
        spawn("Look into the mail suite"),
        spawn("Look into the login suite", {
          dependsOn: [{ id: "subagent-1", because: "Both use the session that the first one sets up." }],
        }),
      ),
      waitFor(3),
      answer,
    ],
    code: 0,
  },
  {
    name: "template",
    task: "Send each charge once",
    options: ["--policy", "template:implement-review"],
    lead: [answer],
    code: 3,
  },
  {
    name: "dispatch",
    task: "Take the plan apart and have it done.",
    options: ["--topology", "dispatch"],
    lead: [
      call("updatePlan", {
        steps: [
          { id: "schema", title: "Find the schema", status: "pending" },
          { id: "api", title: "Read the API", status: "pending", blockedBy: ["schema"] },
          { id: "docs", title: "Read the guide", status: "pending" },
        ],
      }),
      calls(
        spawn("Find the schema", { step: "schema" }),
        spawn("Read the API", { step: "api" }),
        spawn("Read the guide", { step: "docs" }),
      ),
      waitFor(3),
      answer,
    ],
    code: 0,
  },
];

const verdicts = (quality: string) =>
  ["passed", quality].map((verdict, index) => ({
    criterion: index === 0 ? "spec" : "quality",
    verdict,
    evidence: "src/pay.js:1",
  }));
const written = edit({ kind: "create", path: "src/once.js", content: "export const once = new Set();\n" });

const entries: readonly ScriptedEntry[] = [
  ...ways.map(({ task, lead }) => ({ match: new RegExp(`^${task}`), turns: lead })),
  { match: /^Implement: /, turns: [written, submit("Found.")] },
  {
    match: /^Review the proposed change.*subagent-1\.2/s,
    turns: [submit("It is tested now.", { verdicts: verdicts("passed") })],
  },
  {
    match: /^Review the proposed change/,
    turns: [submit("There is no test.", { verdicts: verdicts("failed") })],
  },
  { match: /./, turns: [submit("Found.")] },
];

const home = await mkdtemp(join(tmpdir(), "coppice-graphs-"));
const sample = createTempRepository({ "src/pay.js": "export function pay() {}\n" });
const model = await startScriptedModel(entries);
const browser = await openChromium();
try {
  const taken: { readonly name: string; readonly run: string }[] = [];
  for (const way of ways) taken.push({ name: way.name, run: await runOf(way) });
  const served = await startServer(home);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    await page.goto(served.url);
    for (const { name, run } of taken) await take(page, new URL(served.url).origin, run, name);
  } finally {
    await stop(served.process);
  }
} finally {
  await browser.close();
  await model.close();
  sample.cleanup();
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
}

/** Carries out one run with the built command line; its id. */
async function runOf({ task, options, code }: Way): Promise<string> {
  const server = ["--model", "recorded", "--base-url", model.baseUrl];
  const args = ["run", "--repo", sample.folder, "--task", task, ...server, ...options, "--json"];
  const printed = await runBuilt(home, args, code);
  const last = printed.trim().split("\n").at(-1) ?? "{}";
  return (JSON.parse(last) as { readonly run: string }).run;
}

/** The part of the page that the graph's cards take up, with a little room around them. */
async function take(page: Page, origin: string, run: string, name: string): Promise<void> {
  await page.goto(`${origin}/?run=${run}`);
  await page.getByText("Wave 1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  const middle = await page.locator('[data-region="run"]').boundingBox();
  const boxes = await Promise.all((await page.locator(".graph [data-agent]").all()).map((card) => card.boundingBox()));
  const bottom = Math.max(...boxes.map((box) => (box === null ? 0 : box.y + box.height)));
  if (middle === null) throw new Error("There is no run on the screen.");
  const top = middle.y + 72;
  const clip = { x: middle.x, y: top, width: middle.width, height: bottom - top + 20 };
  const path = join(root, `docs/images/graph-${name}.png`);
  await page.screenshot({ path, clip, animations: "disabled", caret: "hide" });
  console.log(path.slice(root.length + 1));
}
