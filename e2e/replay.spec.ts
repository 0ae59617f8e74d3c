// A finished run seen again: every view shows the same past moment, and nothing can be decided in it.

import { text } from "node:stream/consumers";

import type { Page } from "@playwright/test";

import type { NodeStatus, RunSnapshot } from "../src/shared/contract/snapshots.ts";
import { findSerious } from "./fixtures/axe.ts";
import { spawnBuilt } from "./fixtures/shells.ts";
import { expect, test } from "./fixtures/workbench.ts";

const slider = (page: Page) => page.getByRole("slider", { name: "Moment" });
const cards = (page: Page) => page.getByRole("listbox", { name: /^Subagents/ }).getByRole("option");
const banner = (page: Page) => page.locator(".replaying-words");

async function open(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await expect(cards(page)).toHaveCount(4);
  return Number(await slider(page).getAttribute("aria-valuemax"));
}

/** Clicks the track at a share of its length. */
async function seekShare(page: Page, share: number): Promise<void> {
  const bounds = await page.locator(".track-room").boundingBox();
  if (bounds === null) throw new Error("The track has no place in the page.");
  await page.mouse.click(bounds.x + share * bounds.width, bounds.y + bounds.height / 2);
}

/** As back and forward do, without a reload. */
async function seekTo(page: Page, at: number): Promise<void> {
  await page.evaluate((at) => {
    const address = new URL(location.href);
    address.searchParams.set("at", at);
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, String(at));
  await expect(banner(page)).toContainText(`event ${at} of`);
}

const words: Readonly<Record<NodeStatus, string>> = {
  pending: "Waiting",
  ready: "Queued",
  running: "Working",
  waiting: "Waiting",
  submitting: "Working",
  awaiting_review: "Ready to review",
  landing: "Landing",
  completed: "Done",
  failed: "Failed",
  cancelled: "Stopped",
};

/** Subagents and how they stood, as `coppice show --at` tells it, in the words of the page. */
async function toldAt(home: string, run: string, at: number): Promise<readonly string[]> {
  const shown = spawnBuilt("cli.js", home, ["show", run, "--at", String(at), "--json"]);
  const { subagents, landed } = JSON.parse(await text(shown.stdout)) as RunSnapshot;
  const landers = new Set<string>(landed.map(({ agent }) => agent));
  return subagents.map(
    ({ id, status }) => `${id} ${status === "completed" && landers.has(id) ? "Landed" : words[status]}`,
  );
}

/** The same as the cards say it, by number. */
function cardsIn(page: Page): Promise<readonly string[]> {
  return page
    .locator(".node")
    .evaluateAll((all) =>
      all.map((card) => `${card.getAttribute("data-agent")} ${card.querySelector(".mark")?.textContent}`).toSorted(),
    );
}

test(
  "the scrubber shows who was there then, in graph, list, ledger and header, as the command line does",
  { tag: "@shells" },
  async ({ page, served, demoHome }) => {
    const total = await open(page, served.url);
    await seekShare(page, 0.25);
    const quarter = Math.round(1 + 0.25 * (total - 1));
    await expect(banner(page)).toHaveText(new RegExp(`^viewing \\d\\d:\\d\\d:\\d\\d, event ${quarter} of ${total}$`));
    await expect(cards(page)).toHaveCount(2);
    await expect(cards(page).filter({ hasText: "Working" })).toHaveCount(2);
    const ledger = page.getByRole("region", { name: "Delegation ledger" });
    await expect(ledger.getByRole("listitem").filter({ hasText: "Working" })).toHaveCount(2);

    await seekShare(page, 0.5);
    await expect(cards(page)).toHaveCount(4);
    await expect(cards(page).filter({ hasText: "Landed" })).toHaveCount(0);
    await expect(cards(page).filter({ hasText: "Waiting" })).toHaveCount(1);
    await page.getByRole("button", { name: "List" }).click();
    await expect(page.getByRole("tree", { name: "Agents" }).getByRole("treeitem")).toHaveCount(5);
    await page.getByRole("button", { name: "Graph" }).click();

    await seekShare(page, 1);
    await expect(cards(page).filter({ hasText: "Landed" })).toHaveCount(1);
    await expect(ledger.getByRole("listitem")).toHaveCount(4);
    await expect(ledger.getByRole("listitem").filter({ hasText: "Landed" })).toHaveCount(1);

    const run = new URL(page.url()).searchParams.get("run") ?? "";
    const scattered = Array.from({ length: 10 }, (_, index) => 1 + (((index + 1) * 7_919) % total));
    const told = await Promise.all(scattered.map((at) => toldAt(demoHome, run, at)));
    for (const [index, at] of scattered.entries()) {
      await seekTo(page, at);
      await expect.poll(() => cardsIn(page), { message: `at event ${at}` }).toEqual(told[index]);
    }
    await page.getByRole("region", { name: "Replay" }).getByRole("button", { name: "Live" }).click();
    await expect(banner(page)).toHaveCount(0);
  },
);

test("a past moment can be reached by keys and played, is kept in the address, and nothing can be decided in it", async ({
  page,
  served,
}) => {
  const total = await open(page, served.url);

  await test.step("what could be decided now cannot be decided then", async () => {
    await cards(page).filter({ hasText: "Executor" }).click();
    await page.getByRole("tab", { name: /^Changes/ }).click();
    await expect(page.getByRole("button", { name: "Review…" })).toBeVisible();
    await slider(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByText("Nothing can be decided here")).toBeVisible();
    await expect(
      page.getByRole("button", { name: /Review|Approve|Allow|Deny|Reject|Land|Undo|Pause$|Stop/ }),
    ).toHaveCount(0);
  });

  await test.step("keys step, and jump from mark to mark", async () => {
    await slider(page).focus();
    await page.keyboard.press("Home");
    await expect(slider(page)).toHaveAttribute("aria-valuenow", "1");
    await page.keyboard.press("ArrowRight");
    await expect(slider(page)).toHaveAttribute("aria-valuenow", "2");
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(async () => Number(await slider(page).getAttribute("aria-valuenow"))).toBeGreaterThan(2);
  });

  await test.step("the address keeps the moment, and it plays on to the end", async () => {
    const mark = Number(await slider(page).getAttribute("aria-valuenow"));
    await expect(page).toHaveURL(new RegExp(`[?&]at=${mark}\\b`));
    await page.reload();
    await expect(banner(page)).toContainText(`event ${mark} of ${total}`);
    await slider(page).focus();
    await page.getByLabel("Speed").selectOption("32");
    await slider(page).focus();
    await page.keyboard.press("Space");
    await expect(slider(page)).toHaveAttribute("aria-valuenow", String(total), { timeout: 20_000 });
    await page.keyboard.press("End");
    await expect(banner(page)).toHaveCount(0);
    await expect(page).not.toHaveURL(/[?&]at=/);
  });
});

test("the transcript holds the packet, the turns and the calls, and of a past moment nothing later; no one is kept out", async ({
  page,
  served,
}) => {
  await open(page, served.url);
  await cards(page).filter({ hasText: "Executor" }).click();
  await page.getByRole("tab", { name: "Transcript" }).click();
  const transcript = page.getByRole("region", { name: "Transcript" });
  await expect(transcript.getByRole("heading", { name: /^Packet/ })).toBeVisible();
  const edited = transcript.locator(".call", { hasText: "applyEdit" });
  await expect(edited).toContainText("done");
  await edited.locator("summary").click();
  await expect(edited.getByText("Output")).toBeVisible();

  // The last thing in its lane, by keyboard, leads to its place.
  const lane = page.getByRole("listbox", { name: "Lanes" }).getByRole("option", { name: /^subagent-\s*3/ });
  await lane.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(transcript.locator('[data-found="true"]')).toBeVisible();
  const turnCount = await transcript.getByRole("heading", { name: /^Turn/ }).count();

  await seekShare(page, 0.6);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Turn 1/ })).toBeVisible();
  expect(await findSerious(page)).toEqual([]);
  await seekShare(page, 0.5);
  await expect.poll(() => transcript.getByRole("heading", { name: /^Turn/ }).count()).toBeLessThan(turnCount);
  await expect(edited).toHaveCount(0);

  await page.getByRole("button", { name: "List" }).click();
  await page.getByRole("tab", { name: /^Result/ }).click();
  expect(await findSerious(page)).toEqual([]);
});
