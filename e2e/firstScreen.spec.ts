// What a person meets who has run the demo and opens the workbench.

import type { Page } from "@playwright/test";

import { findSerious } from "./fixtures/axe.ts";
import { expect, stop, test } from "./fixtures/workbench.ts";

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
    await expect(page.getByText("Answered", { exact: true }).last()).toBeVisible();
  },
);

test("[G13] is walked by keyboard alone, keeps nobody out, stays over a reload, and loads nothing from elsewhere", async ({
  page,
  served,
}) => {
  const origin = new URL(served.url).origin;
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => void (request.url().startsWith(origin) || foreign.push(request.url())));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(served.url);
  await expect(done(page)).toHaveCount(1);
  await page.keyboard.press("F6");
  await expect(done(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(done(page)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
  expect(await findSerious(page)).toEqual([]);

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

  await expect(page).toHaveURL(/\?run=/);
  await page.reload();
  await expect(page.getByRole("complementary", { name: "Inspector" })).toContainText("subagent-2");
  const { searchParams } = new URL(page.url());

  await page.goto(`${origin}/?run=zzzzzzzzzz`);
  await expect(page.getByRole("alert", { name: "No such run" })).toContainText(
    "There is no run zzzzzzzzzz in this data folder.",
  );
  expect(await findSerious(page)).toEqual([]);
  await page.getByRole("button", { name: "Show the runs" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`\\?run=${searchParams.get("run")}`));
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});

test("opens for a token once and under its own name, and says when the connection is lost or the session over", async ({
  page,
  browser,
  request,
  served,
  demoHome,
  serveAgain,
}) => {
  await page.goto(served.url);
  await done(page).click();

  await test.step("a stranger is told how to get a new link", async () => {
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

  await test.step("another name is not answered to (DNS rebinding)", async () => {
    const response = await request.get(served.url, { headers: { host: "evil.example" } });
    expect(response.status()).toBe(403);
    expect(await response.text()).not.toContain("<script");
  });

  await test.step("the page stays, and says what has become of its server", async () => {
    await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
    expect(await stop(served.process)).toBe(0);
    await expect(page.getByRole("status").first()).toContainText("Connection lost");
    await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
    await serveAgain(demoHome, served.url);
    await expect(page.getByRole("status").first()).toContainText("This session is over");
  });
});
