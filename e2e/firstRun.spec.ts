// The first steps of somebody who has just installed it: a whole run before anything is spent, a model, how much to ask, a task.

import { findSerious } from "./fixtures/axe.ts";
import { calls, test } from "./fixtures/desk.ts";
import { expect as usual } from "./fixtures/workbench.ts";

/** The sample is a whole run of its own, beside whatever else the machine does. */
const expect = usual.configure({ timeout: 20_000 });

test("the sample is played and replayed, a model is tried and chosen, and a first task is ready; or all of it is skipped", async ({
  page,
  newHome,
  openHome,
  startModel,
}) => {
  const model = await startModel([
    { match: /^Call the tool/, turns: [calls({ name: "ready", args: { word: "yes" } })] },
  ]);
  const { url } = await openHome(await newHome());
  await page.goto(url);

  await test.step("the first steps can be skipped, and opened again", async () => {
    await expect(page.getByRole("button", { name: "Play the sample run" })).toBeVisible();
    expect(await findSerious(page)).toEqual([]);
    await page.getByRole("button", { name: "Skip for now" }).click();
    await expect(page.getByRole("heading", { name: "No runs yet" })).toBeVisible();
    await expect(page.getByText(/^coppice run --task/)).toBeVisible();
    expect(await findSerious(page)).toEqual([]);
    await page.reload();
    await expect(page.getByRole("heading", { name: "No runs yet" })).toBeVisible();
    await page.getByRole("button", { name: "First steps…" }).click();
  });

  const step = page.getByRole("complementary");
  const next = page.getByRole("button", { name: "Continue" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("See a whole run before you spend anything");
  await page.getByRole("button", { name: "Play the sample run" }).press("Enter");
  await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();

  await next.press("Enter");
  await expect(step.getByText("not running")).toBeVisible();
  await step.getByLabel("Address").fill(model.baseUrl);
  await step.getByLabel("Model").fill("scripted");
  await step.getByRole("button", { name: "Test", exact: true }).click();
  await expect(step.getByText("calls tools", { exact: true })).toBeVisible();
  await step.getByRole("button", { name: "Use this model" }).click();

  await next.press("Enter");
  // Not `check`: it is chosen once the settings are written.
  await step.getByRole("radio", { name: /Let checked changes land/ }).click();
  await expect(step.getByRole("radio", { name: /Let checked changes land/ })).toBeChecked();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findSerious(page)).toEqual([]);
  await next.press("Enter");

  // Each step can be gone back to; meanwhile the sample's run has come to its end, and is there from its beginning.
  await page.getByRole("button", { name: "1 See a run" }).click();
  const agents = page.getByRole("region", { name: "Graph" }).getByRole("option");
  await expect(page.getByText(/Landed/).first()).toBeVisible({ timeout: 60_000 });
  const count = await agents.count();
  expect(count).toBeGreaterThanOrEqual(3);
  await page.getByRole("main").focus();
  await page.keyboard.press("Home");
  await expect(agents).toHaveCount(0);
  await page.keyboard.press("End");
  await expect(agents).toHaveCount(count);

  await page.getByRole("button", { name: "4 First task" }).click();
  await step.getByRole("button", { name: /Understand it/ }).click();
  await expect(page.getByLabel("Task")).toHaveValue(/Explain how this project is built/);
  await expect(page.getByLabel("Model", { exact: true })).toContainText("scripted");
  await expect(page.getByRole("radio", { name: /Automatic/ })).toBeChecked();
  await expect(page.getByRole("button", { name: /Start run/ })).toBeEnabled();
  expect(await findSerious(page)).toEqual([]);
});
