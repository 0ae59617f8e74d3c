// Another way on from a past moment: what happened up to there, in a run of its own that waits to be resumed.

import { findSerious } from "./fixtures/axe.ts";
import { expect, test } from "./fixtures/workbench.ts";

test("a run is forked at the moment that is shown, and stays as it is itself", async ({
  page,
  demoHome,
  newHome,
  openHome,
}) => {
  // Of its own, since there will be another run in it.
  const { url } = await openHome(await newHome(demoHome));
  await page.goto(url);
  const cards = page.getByRole("listbox", { name: /^Subagents/ }).getByRole("option");
  await expect(cards).toHaveCount(4);
  const origin = page.url();

  const track = await page.locator(".track-room").boundingBox();
  if (track === null) throw new Error("The track has no place in the page.");
  await page.mouse.click(track.x + track.width * 0.25, track.y + track.height / 2);
  await expect(cards).toHaveCount(2);
  await expect(page.locator(".replaying-words")).toContainText("viewing");
  await page.getByRole("button", { name: "Fork from here" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Fork at event \d+/ });
  await expect(dialog.getByRole("button", { name: "Fork from here" })).toBeEnabled();
  expect(await findSerious(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Fork from here" }).focus();
  await page.keyboard.press("Enter");

  await expect(dialog).toHaveCount(0);
  await expect(page).not.toHaveURL(origin);
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole("main").getByRole("button", { name: "Resume" })).toBeVisible();
  await page.goto(origin);
  await expect(cards).toHaveCount(4);
});
