// A change set of ten thousand lines, and one that would hide what it does.

import { findSerious } from "./fixtures/axe.ts";
import { calls, say, spawn, startRun, submit, test, wait } from "./fixtures/desk.ts";
import { expect } from "./fixtures/workbench.ts";

// Short lines, so that the executor's request fits into a small model's window.
const long = ["let first;", ...Array.from({ length: 9_998 }, () => "0;"), "last();"].join("\n");
const hostile = [
  "/*\u202e } \u2066if (isAdmin)\u2069 \u2066 only for admins */",
  "<img src=x onerror=\"document.title='owned'\"> \u001b[31mred",
  "x".repeat(3_000),
].join("\n");
const creation = (path: string, content: string) => ({ kind: "create", path, content });

test("[B26] ten thousand lines open at once and are walked to their end; what a line would hide is named", async ({
  page,
  openDesk,
}) => {
  const changes = [creation("a.js", hostile), creation("b.ts", long)];
  const desk = await openDesk(
    [
      {
        match: /^Write/,
        turns: [calls(spawn("MAKE them", { role: "executor", paths: ["."] })), wait(["subagent-1"]), say("Made.")],
      },
      { match: /^MAKE/, turns: [calls({ name: "applyEdit", args: { changes } }), submit("Made.")] },
    ],
    { "z.txt": "z\n" },
  );
  await page.goto(desk.served.url);
  await startRun(page, desk, "Write them.");
  await page.getByRole("button", { name: /^Inbox/ }).click();
  await page.getByRole("option", { name: /Change set/ }).press("Enter", { timeout: 20_000 });

  const small = page.getByRole("grid", { name: "Changes of a.js" });
  await expect(small.locator('.diff-hidden[data-treacherous="true"]')).toHaveText([
    "U+202E",
    "U+2066",
    "U+2069",
    "U+2066",
  ]);
  await expect(small).toContainText("<img src=x onerror=\"document.title='owned'\"> ESC[31mred");
  await expect(small).toContainText("1,000 more characters");
  await expect(page).not.toHaveTitle("owned");

  await page.keyboard.press("l");
  const diff = page.getByRole("grid", { name: "Changes of b.ts" });
  await expect(diff.getByText("let first;")).toBeVisible();
  await expect(diff.locator(".sy-keyword").first()).toHaveText("let");
  await expect(page.locator(".file-head")).not.toContainText("of 10,000 lines");
  const jump = () => diff.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await jump();
  await expect(diff.getByText("last();")).toBeVisible();
  expect(await diff.locator(".diff-row").count()).toBeLessThan(200);
  expect(await findSerious(page)).toEqual([]);

  await page.keyboard.press("s");
  await expect(diff.locator(".diff-half").first()).toBeVisible();
  await jump();
  await expect(diff.getByText("last();")).toBeVisible();
  expect(await diff.locator(".diff-row").count()).toBeLessThan(200);
});
