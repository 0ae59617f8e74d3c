// What a person sets, finds and presses: settings that are kept, keys that are changed, the palette, and search over all runs.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { findSerious } from "./fixtures/axe.ts";
import { expect, test as base } from "./fixtures/workbench.ts";

const model = (name: string) => ({ name, price: null, contextTokens: null });
const server = {
  id: "here",
  name: "This computer",
  baseUrl: "http://127.0.0.1:1/v1",
  key: { from: "none" },
  models: [model("large"), model("small")],
};

/** A page on a copy of the demo's journal, with settings of its own. */
const test = base.extend<{ readonly own: Page }>({
  own: async ({ page, demoHome, newHome, openHome }, use) => {
    const home = await newHome(demoHome);
    await mkdir(join(home, "settings"), { recursive: true });
    await writeFile(join(home, "settings/settings.json"), JSON.stringify({ version: 1, providers: [server] }));
    const { url } = await openHome(home);
    await page.goto(url);
    await expect(page.getByRole("option").first()).toBeVisible();
    await use(page);
  },
});

const part = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Settings" }).getByRole("button", { name, exact: true });

test("settings are kept over a reload, their tester says what the engine's rules say, and no part keeps anybody out", async ({
  own,
}) => {
  await own.keyboard.press("Control+,");
  // All parts are made of the same pieces: those that have them all, one in the light and the others in the dark.
  await part(own, "Models").click();
  await expect(own.getByRole("heading", { level: 2 }).first()).toHaveText("Models");
  await own.getByLabel("Explorer").selectOption({ label: "small, This computer" });
  await expect(own.getByText("Kept", { exact: true })).toBeVisible();
  expect(await findSerious(own)).toEqual([]);
  await part(own, "Appearance").click();
  await own.getByRole("radio", { name: /^Dark/ }).click();
  await expect(own.locator("html")).toHaveAttribute("data-theme", "dark");
  await own.reload();
  await expect(own.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(own.getByRole("radio", { name: /^Dark/ })).toBeChecked();
  await own.keyboard.press("Control+n");
  await expect(own.getByText("explorer: small")).toBeVisible();
  await own.keyboard.press("Control+,");

  await part(own, "Approvals").click();
  await expect(own.getByRole("region", { name: "Where commands find programs" })).toContainText("/usr/bin");
  const tester = own.getByRole("region", { name: "What would happen?" });
  await expect(tester).toContainText("Asks you");
  await own.getByRole("radio", { name: /^None/ }).click();
  await tester.getByLabel("to the command").fill("npm test");
  await expect(tester).toContainText("Refused");
  await tester.getByLabel("to a change of").fill("package-lock.json");
  await expect(tester).toContainText("protected path");
  expect(await findSerious(own)).toEqual([]);

  await part(own, "Sandbox").click();
  await expect(own.getByRole("region", { name: "Confinement" })).toContainText(/Works here|In part|Not confined/);
  await own.getByRole("button", { name: "Look again" }).click();
  await own.getByRole("radio", { name: /^Network/ }).click();
  await expect(own.getByRole("radio", { name: /^Network/ })).toBeChecked();
  expect(await findSerious(own)).toEqual([]);
  await part(own, "Policies and templates").click();
  await own.getByRole("radio", { name: /^Independent work/ }).click();
  await own.getByText("Rules: unless blocked").click();
  await expect(own.getByText("shared-resources").last()).toBeVisible();
  await expect(own.getByRole("region", { name: "Templates", exact: true })).toContainText("implement-review");
  expect(await findSerious(own)).toEqual([]);
  await own.keyboard.press("Control+n");
  await expect(own.getByLabel("Side by side")).toHaveValue("rules:default");
  await own.keyboard.press("Control+,");

  await part(own, "Limits and budgets").click();
  await own.getByLabel("Subagents at once").fill("0");
  await expect(own.getByText("From 1 to 100.")).toBeVisible();
  await own.getByLabel("Subagents at once").fill("3");
  await own.getByLabel("Subagents at once").press("Enter");
  await expect(own.getByText("Kept", { exact: true })).toBeVisible();

  await part(own, "Worktrees").click();
  await expect(own.getByText("There is none: every run has cleared up after itself.")).toBeVisible();
  expect(await findSerious(own)).toEqual([]);
  await part(own, "Data").click();
  await own.getByRole("button", { name: "Prove it" }).click();
  await expect(own.getByText(/^Sound/)).toBeVisible();
  await own.getByRole("button", { name: "Clean up now" }).click();
  await expect(own.getByText(/^(Removed: |There was nothing)/)).toBeVisible();
  expect(await findSerious(own)).toEqual([]);
});

test("keys are changed by pressing them, and hold for palette and sheet; words are found in all runs", async ({
  own,
}) => {
  await own.keyboard.press("Control+,");
  await part(own, "Keys").click();
  expect(await findSerious(own)).toEqual([]);
  await own.getByRole("button", { name: "Change the keys of Command palette" }).click();
  await own.keyboard.press("Control+n");
  await expect(own.getByText(/is “New run”/)).toBeVisible();
  await own.getByRole("button", { name: "Change the keys of Command palette" }).click();
  await own.keyboard.press("Control+Shift+p");
  await expect(own.getByText("Ctrl+Shift+P", { exact: true })).toBeVisible();

  const palette = own.getByRole("dialog", { name: "Command palette" });
  // Until the settings are written the usual key is still the one that counts.
  await expect(async () => {
    await own.keyboard.press("Escape");
    await own.keyboard.press("Control+k");
    await expect(palette).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await own.keyboard.press("Control+Shift+p");
  await expect(palette.getByRole("option", { name: /Pause/ })).toHaveCount(0);
  await own.keyboard.type("charged twice");
  await own.keyboard.press("Enter");
  await expect(own.getByRole("region", { name: "Graph" })).toBeVisible();

  // The sheet lists the keys as they are now, those of the graph under their own head.
  await own.keyboard.press("Control+/");
  const sheet = own.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toContainText("Ctrl+Shift+P");
  await expect(sheet.getByRole("region", { name: "In the graph", exact: true })).toBeVisible();
  expect(await findSerious(own)).toEqual([]);
  await own.keyboard.press("Escape");
  await own.keyboard.press("Control+b");
  await expect(own.getByRole("navigation", { name: "Runs" })).toHaveCount(0);
  await own.keyboard.press("Control+b");
  await own.keyboard.press("Control+.");
  await expect(own.getByRole("complementary", { name: "Inspector" })).toBeHidden();
  await own.keyboard.press("Control+.");
  await own.keyboard.press("F6");
  await expect(own.getByRole("option", { selected: true }).first()).toBeFocused();

  await test.step("a find leads to its place in the transcript", async () => {
    await own.keyboard.press("Control+Shift+f");
    await own.keyboard.type("callback charged");
    const finds = own.getByRole("main").getByRole("listitem").getByRole("button");
    await expect(finds.first()).toBeVisible();
    expect(await findSerious(own)).toEqual([]);
    await own.keyboard.press("ArrowDown");
    await expect(finds.first()).toBeFocused();
    await own.keyboard.press("Enter");
    await expect(own.getByRole("tab", { name: "Transcript" })).toHaveAttribute("aria-selected", "true");
    await expect(own.locator("[data-found=true]")).toBeVisible();
  });
});
