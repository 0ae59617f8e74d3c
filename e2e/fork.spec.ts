// Another way on from a past moment: what happened up to there, in a run of its own that waits to be resumed.

import { findSerious } from "./fixtures/axe.ts";
import { calls, say, spawn, startRun, submit, test, wait } from "./fixtures/desk.ts";
import { expect } from "./fixtures/workbench.ts";

const story = [
  {
    match: /^The forked run/,
    turns: [
      calls(spawn("Look at a", { role: "explorer" })),
      wait("subagent-1"),
      calls(spawn("Look at b", { role: "explorer" })),
      wait("subagent-2"),
      say("Both were looked at."),
    ],
  },
  { match: /Look at/, turns: [submit("Seen.")] },
];

test("a run is forked at the moment that is shown, and stays as it is itself", async ({ page, openDesk }) => {
  test.slow();
  const desk = await openDesk(story, { "a.txt": "a\n" });
  await page.goto(desk.served.url);
  await startRun(page, desk, "The forked run");
  const cards = page.getByRole("listbox", { name: /^Subagents/ }).getByRole("option");
  await expect(page.getByText("Both were looked at.").first()).toBeVisible({ timeout: 30_000 });
  await expect(cards).toHaveCount(2);
  const origin = page.url();

  const track = await page.locator(".track-room").boundingBox();
  if (track === null) throw new Error("The track has no place in the page.");
  await page.mouse.click(track.x + track.width * 0.45, track.y + track.height / 2);
  await expect(cards).toHaveCount(1);
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
  await expect(cards).toHaveCount(1);
  await expect(page.getByRole("main").getByRole("button", { name: "Resume" })).toBeVisible();
  await page.goto(origin);
  await expect(cards).toHaveCount(2);
});
