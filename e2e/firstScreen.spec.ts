// What a person meets who has run the demo and opens the workbench.

import type { Page } from "@playwright/test";

import { findSerious } from "./fixtures/axe.ts";
import { expect, startServer, stop, test } from "./fixtures/workbench.ts";

const done = (page: Page) => page.getByRole("group", { name: /^Done/ }).getByRole("option");
const agents = (page: Page) => page.getByRole("tree", { name: "Agents" }).getByRole("treeitem");
const list = (page: Page) => page.getByRole("button", { name: "List", exact: true }).click();

test(
  "lists the demo's run as done and shows who worked on it and what landed",
  { tag: "@shells" },
  async ({ page, served }) => {
    await page.goto(served.url);
    await expect(done(page)).toHaveCount(1);
    const title = await done(page).locator(".run-title").innerText();
    await done(page).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await list(page);
    await expect(agents(page).nth(0)).toContainText("Lead");
    await expect(agents(page).nth(1)).toContainText("subagent-1");
    expect(await agents(page).count()).toBeGreaterThanOrEqual(4);
    await expect(page.getByRole("region", { name: "Landings" })).toContainText(/Landed [0-9a-f]{7} on \S+/);
    await expect(page.getByText("final_answer", { exact: true })).toBeVisible();
  },
);

test("stays open over a reload, on the same run", async ({ page, served }) => {
  await page.goto(served.url);
  await done(page).click();
  await expect(page).toHaveURL(/\?run=/);
  await page.reload();
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`holds nothing that keeps somebody out (${colorScheme})`, async ({ page, served }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(served.url);
    await done(page).click();
    await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
    expect(await findSerious(page)).toEqual([]);
  });
}

test("is walked by keyboard alone", async ({ page, served }) => {
  await page.goto(served.url);
  await expect(done(page)).toHaveCount(1);
  await page.keyboard.press("F6");
  await expect(done(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(done(page)).toHaveAttribute("aria-selected", "true");

  await list(page);
  await page.keyboard.press("F6");
  await expect(page.getByRole("tab", { name: "Overview" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Task" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Shift+F6");
  await expect(agents(page).nth(0)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(agents(page).nth(2)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "Inspector" })).toContainText("subagent-2");
  await page.keyboard.press("Shift+F6");
  await expect(done(page)).toBeFocused();
});

test("[G13] loads nothing from elsewhere and breaks no rule of its own policy", async ({ page, served }) => {
  const origin = new URL(served.url).origin;
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => void (request.url().startsWith(origin) || foreign.push(request.url())));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(served.url);
  await done(page).click();
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});

test("opens for a token once, and says how to get a new one after that", async ({ page, browser, served }) => {
  await page.goto(served.url);
  await expect(done(page)).toHaveCount(1);
  const context = await browser.newContext();
  const stranger = await context.newPage();
  for (const url of [served.url, served.url.replace(/token=.*/, "token=wrong"), new URL("/", served.url).href]) {
    const response = await stranger.goto(url);
    expect(response?.status()).toBe(403);
    await expect(stranger.getByRole("heading")).toHaveText("This link does not open Coppice");
    await expect(stranger.getByText("coppice serve")).toBeVisible();
  }
  expect(await findSerious(stranger)).toEqual([]);
  await context.close();
});

test("does not answer to another name (DNS rebinding)", async ({ request, served }) => {
  const response = await request.get(served.url, { headers: { host: "evil.example" } });
  expect(response.status()).toBe(403);
  expect(await response.text()).not.toContain("<script");
});

test("says that the connection is lost, and that the session is over once the server was started anew", async ({
  page,
  served,
  demoHome,
}) => {
  await page.goto(served.url);
  await done(page).click();
  expect(await stop(served.process)).toBe(0);
  await expect(page.getByRole("status").first()).toContainText("Connection lost");
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();

  const again = await startServer(demoHome, new URL(served.url).port);
  await expect(page.getByRole("status").first()).toContainText("This session is over");
  await stop(again.process);
});
