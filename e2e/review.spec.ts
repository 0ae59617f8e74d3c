// Change sets and commands decided from the page, on a run that was started from it.

import type { Page } from "@playwright/test";

import type { ScriptedEntry } from "../test/support/scriptedModel.ts";
import { findSerious } from "./fixtures/axe.ts";
import { calls, edit, openForm, say, spawn, startRun, submit, test, wait } from "./fixtures/desk.ts";
import { expect } from "./fixtures/workbench.ts";

const between = Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n");
const files = { "a.txt": `one\n${between}\ntwo\n${between}\nthree\n` };
const german = files["a.txt"].replace("one\n", "eins\n").replace("three", "drei");

const marked = "<<<<<<< landed\nzwo\n||||||| what both began with\ntwo\n=======\ndeux\n>>>>>>> your change\n";

/** One executor that changes three places of a file; sent back, it changes the middle one again, and resolves a conflict there. */
const threeHunks: readonly ScriptedEntry[] = [
  {
    match: /^Change/,
    turns: [calls(spawn("EDIT a.txt", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Changed.")],
  },
  {
    match: /^EDIT/,
    turns: [
      edit("a.txt", ["one\n", "eins\n"], ["\ntwo\n", "\nzwei\n"], ["three", "drei"]),
      submit("Three hunks."),
      edit("a.txt", ["\nzwei\n", "\ndeux\n"]),
      submit("French in the middle."),
      edit("a.txt", [marked, "zwo, deux\n"]),
      submit("Both in the middle."),
    ],
  },
];

async function openReview(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Inbox/ }).click();
  await page.getByRole("option", { name: /Change set/ }).press("Enter", { timeout: 20_000 });
  await expect(page.locator(".hunk-head")).toHaveCount(3);
}

test(
  "[B19] a hunk is rejected by key and a line left out, and exactly the rest lands",
  { tag: "@shells" },
  async ({ page, openDesk }) => {
    const desk = await openDesk(threeHunks, files);
    await page.goto(desk.served.url);
    await startRun(page, desk, "Change it.");
    await openReview(page);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.getByRole("grid", { name: "Changes of a.txt" }).focus();
    const leftOut = page.locator('.diff-row[data-out="true"]');
    for (let row = 0; row < 4; row += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await expect(leftOut).toContainText("three");
    await page.getByLabel("Commit").fill("Say it in German, x and all");

    // What was decided and written is there again after a reload.
    await page.reload();
    await expect(page.locator(".tally")).toHaveText("2 accepted 1 of them amended 1 rejected");
    await expect(leftOut).toContainText("three");
    await expect(page.getByLabel("Commit")).toHaveValue("Say it in German, x and all");
    await page.getByRole("button", { name: "Land 2 of 3 hunks on landed" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Landed" })).toBeVisible({ timeout: 20_000 });
    expect(desk.repository.git("show", "landed:a.txt")).toBe(german.replace("drei", "three\ndrei").trimEnd());
    expect(desk.repository.git("log", "-1", "--format=%s", "landed")).toBe("Say it in German, x and all");
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("taken back")).toBeVisible();
    expect(desk.repository.git("show", "landed:a.txt")).toBe(files["a.txt"].trimEnd());
  },
);

test("what is sent back comes again as another change set, with its target where they conflict, and lands in a conflict as it was chosen there", async ({
  page,
  openDesk,
}) => {
  const desk = await openDesk(threeHunks, files);
  await page.goto(desk.served.url);
  await startRun(page, desk, "Change it.");
  await openReview(page);
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Comment on removed line 14" }).fill("In French, please. jjxx");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("grid", { name: "Changes of a.txt" })).toBeFocused();
  await page.getByRole("button", { name: "Send back with 1 comment…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send back" });
  await expect(dialog).toContainText("a.txt:14 In French, please. jjxx");
  await dialog.getByLabel("Remark").fill("Nearly.");
  await dialog.getByRole("button", { name: "Send back" }).click();
  await expect(page.locator(".decide")).toContainText(/Sent back|Replaced/);
  await page.locator(".back").click();

  await openReview(page);
  await expect(page.locator(".diff-text", { hasText: "deux" })).toBeVisible();
  const sent = desk.server.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n");
  expect(sent).toContain(
    JSON.stringify(
      "Nearly.\n\na.txt:14 (a line that you removed, numbered as in the base)\n> two\nIn French, please. jjxx",
    ).slice(1, -1),
  );
  // Somebody else has put another word there meanwhile, and later yet another.
  desk.repository.git("branch", "landed");
  const meanwhile = (word: string) => {
    desk.repository.git("checkout", "--quiet", "landed");
    desk.repository.write({ "a.txt": files["a.txt"].replace("\ntwo\n", `\n${word}\n`) });
    desk.repository.commitAll(word);
    desk.repository.git("checkout", "--quiet", "main");
  };
  meanwhile("zwo");
  await page.getByRole("button", { name: "Land 3 hunks on landed" }).click();
  await expect(page.locator(".tally")).toContainText("1 in conflict", { timeout: 20_000 });
  await page.getByRole("button", { name: "Send back…" }).click();
  await expect(dialog.getByLabel("Bring landed into its worktree")).toBeChecked();
  expect(await findSerious(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send back" }).click();
  await expect(page.locator(".decide")).toContainText(/Sent back|Replaced/);
  await page.locator(".back").click();
  await openReview(page);
  await expect(page.locator(".diff-text", { hasText: "zwo, deux" })).toBeVisible();
  await expect(page.getByText("landed has not moved since")).toBeVisible();

  meanwhile("zwo!");
  await page.getByRole("button", { name: "Land 3 hunks on landed" }).click();
  const place = page.getByRole("region", { name: "Place 1" });
  await expect(place).toContainText("zwo!", { timeout: 20_000 });
  await expect(page.locator(".tally")).toContainText("1 in conflict");
  await place.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Lines of place 1 as they will land").fill("zwo\ndeux\ntwo");
  await place.getByRole("button", { name: "Keep this text" }).click();
  await expect(place.getByRole("button", { name: "Edit" })).toBeFocused();
  await expect(page.getByText("conflict resolved")).toBeVisible();
  expect(await findSerious(page)).toEqual([]);
  await page.getByRole("button", { name: "Land 3 hunks on landed" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Landed" })).toBeVisible({ timeout: 20_000 });
  expect(desk.repository.git("show", "landed:a.txt")).toBe(german.replace("\ntwo\n", "\nzwo\ndeux\ntwo\n").trimEnd());
});

test("a reload keeps what was looked at, a second page sees the same, and form, run and review keep nobody out", async ({
  page,
  openDesk,
}) => {
  const brings = `{ "setup": ["true"], "setupNetwork": "on", "verify": ["true"] }`;
  const desk = await openDesk(threeHunks, { ...files, ".coppice/config.json": brings });
  await page.goto(desk.served.url);
  await test.step("a form that lacks something says what", async () => {
    await openForm(page);
    await page.getByRole("button", { name: /Start run/ }).click();
    await expect(page.getByText("Name the repository's folder.")).toBeVisible();
    // One agent alone has nobody to hold to a policy.
    await page.getByRole("radio", { name: /^One agent alone/ }).check();
    await expect(page.getByLabel("Side by side")).toHaveCount(0);
    await page.getByRole("radio", { name: /^The lead too/ }).check();
    await expect(page.getByLabel("Side by side")).toBeVisible();
    await page.getByRole("radio", { name: /^Subagents/ }).check();
    // Who may write to whom is asked of groups alone.
    await page.getByLabel("Team").selectOption("groups");
    await page.getByLabel("May write to").fill("web, api");
    await page.getByLabel("Team").selectOption("supervisor");
    await expect(page.getByLabel("May write to")).toHaveCount(0);
    // What the repository brings is run once it is trusted.
    await page.getByLabel("Repository").fill(desk.repository.folder);
    const brought = page.getByRole("region", { name: "Commands that it brings" });
    await expect(brought.getByRole("listitem")).toHaveText(["Set-up true with the network", "Check true"]);
    await expect(page.getByRole("checkbox", { name: /^Set-up may use the network/ })).toBeChecked();
    expect(await findSerious(page)).toEqual([]);
    await brought.getByRole("button", { name: "Trust these commands" }).click();
    await expect(brought).toContainText("Commands of the repository that you trust: true, true");
  });

  await startRun(page, desk, "Change it.");
  const card = (on: Page) => on.getByRole("option", { name: /Executor/ });
  await expect(card(page)).toContainText("Ready to review", { timeout: 20_000 });
  await card(page).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  expect(await findSerious(page)).toEqual([]);
  const second = await desk.served.openSecond(page);

  await test.step("both pages show what was chosen and what was done", async () => {
    for (const on of [page, second]) {
      await on.goto(page.url());
      await expect(card(on)).toHaveAttribute("aria-selected", "true");
      await expect(on.getByRole("button", { name: "Resume" })).toBeVisible();
      await expect(on.getByRole("complementary", { name: "Inspector" })).toContainText("3 hunks in 1 file");
    }
    await second.bringToFront();
    await second.getByRole("button", { name: "Resume" }).click();
    await page.bringToFront();
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  });
  const run = page.url();

  await test.step("the review as it is worked on: hunks rejected, side by side, and one in other words", async () => {
    await openReview(page);
    // With little room its parts stand one below the other, each as tall as it needs.
    await page.setViewportSize({ width: 900, height: 700 });
    const [list, diff] = [page.locator(".file"), page.getByRole("heading", { level: 2, name: "a.txt" })];
    const [listBox, diffBox] = [await list.boundingBox(), await diff.boundingBox()];
    expect(listBox && diffBox && listBox.y + listBox.height < diffBox.y).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("x");
    await page.keyboard.press("c");
    await page.keyboard.press("Escape");
    await page.keyboard.press("s");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await expect(page.getByLabel("Lines of hunk 2 as they will land")).toBeFocused();
    expect(await findSerious(page)).toEqual([]);
  });

  await test.step("a stop withdraws the question, on both pages", async () => {
    await page.goto(run);
    await page.getByRole("button", { name: "Stop…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("1 open approval will be withdrawn");
    await dialog.getByRole("button", { name: "Stop the run" }).click();
    for (const on of [page, second]) await expect(on.locator(".head-row .mark")).toHaveText("Stopped");

    // What was made and did not land comes back on a branch.
    const kept = page.getByRole("region", { name: "Kept work" });
    await kept.getByRole("button", { name: "Restore on a branch" }).click();
    await expect(kept.getByRole("status")).toContainText("coppice-restored/");
    const restored = desk.repository.git("branch", "--list", "--format=%(refname:short)", "coppice-restored/*");
    expect(desk.repository.git("show", `${restored}:a.txt`)).toBe(german.replace("\ntwo\n", "\nzwei\n").trimEnd());
  });
});
