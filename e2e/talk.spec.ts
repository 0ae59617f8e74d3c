// A person and a run talk to each other from the window: questions, messages, follow-ups; what is done with a run as a whole;
// and what is left of all that when the program behind the window dies.

import { renameSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import type { ScriptedEntry } from "../test/support/scriptedModel.ts";
import { findSerious } from "./fixtures/axe.ts";
import { calls, edit, runCommand, say, sayLater, spawn, startRun, submit, test, wait } from "./fixtures/desk.ts";
import { expect } from "./fixtures/workbench.ts";

const files = { "a.txt": "one\ntwo\nthree\n" };
const plan = (...steps: readonly object[]) => calls({ name: "updatePlan", args: { steps } });
const verdict = (said: "passed" | "failed", evidence: string) =>
  submit(said, { verdicts: [{ criterion: "The sum is right", verdict: said, evidence }] });
const transcript = (page: Page) => page.getByRole("region", { name: "Transcript" });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const listed = (page: Page, group: RegExp) => page.getByRole("group", { name: group }).getByRole("option");

async function openTranscript(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Transcript" }).click();
}

/** Chooses from the menu of the run that is shown. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More about this run" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("[G16] a question is answered where it was asked, a stopped run goes on, and whoever reads keeps the place while it streams", async ({
  page,
  openDesk,
}) => {
  const gate = Promise.withResolvers<void>();
  const answer = sayLater();
  const question = { question: "Which currency do the prices have?", choices: ["Euro", "Pound"] };
  const desk = await openDesk(
    [
      {
        match: /^Plan/,
        turns: [
          calls({ name: "askPerson", args: question }),
          { ...say("Euro it is."), gate: gate.promise },
          say("Cents are minded."),
          answer.turn,
        ],
      },
    ],
    files,
  );
  await page.goto(desk.served.url);
  await startRun(page, desk, "Plan the prices.");
  await openTranscript(page);

  await test.step("the question stands in the transcript, and nowhere twice", async () => {
    const asked = page.getByRole("region", { name: "Question to you" });
    await expect(asked).toContainText("Which currency do the prices have?");
    await expect(page.getByRole("button", { name: "Euro" })).toHaveCount(1);
    expect(await findSerious(page)).toEqual([]);
  });

  await test.step("a draft is there again after a reload", async () => {
    await page.getByRole("textbox", { name: "Message to the lead" }).fill("Mind the cents.\nAll of them.");
    await page.reload();
    await openTranscript(page);
    await expect(page.getByRole("textbox", { name: "Message to the lead" })).toHaveValue(
      "Mind the cents.\nAll of them.",
    );
  });

  await test.step("the answer reaches the lead, and the message the turn after", async () => {
    await page.getByRole("button", { name: "Euro" }).click();
    await expect(page.getByRole("region", { name: "Question to you" })).toHaveCount(0);
    await page.getByRole("textbox", { name: "Message to the lead" }).press("Control+Enter");
    await expect(transcript(page)).toContainText("not read yet");
    gate.resolve();
    await expect(transcript(page)).toContainText("Cents are minded.");
    await expect(transcript(page)).not.toContainText("not read yet");
    const last = JSON.stringify(desk.server.requests.at(-1)?.body.messages);
    expect(["Euro", "Mind the cents.\\nAll of them."].filter((text) => !last.includes(text))).toEqual([]);
  });

  await test.step("a follow-up makes the stopped run go on", async () => {
    await page.getByRole("textbox", { name: "Follow up" }).fill("And pounds?");
    await page.getByRole("textbox", { name: "Follow up" }).press("Control+Enter");
    await expect(page.getByRole("textbox", { name: "Message to the lead" })).toHaveValue("");
    answer.say("Pounds as well.");
    await expect(transcript(page)).toContainText("Pounds as well.");
  });

  await test.step("what is streamed is followed at its end, and moves nothing for whoever reads further up", async () => {
    const manyLines = (word: string) => Array.from({ length: 80 }, (_, line) => `\n\n${word} ${line + 1}.`).join("");
    const box = transcript(page);
    const atEnd = () => box.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
    const toEnd = page.getByRole("button", { name: "Jump to end" });
    answer.say(manyLines("Pound"));
    await expect(box).toContainText("Pound 80.");
    await expect.poll(atEnd).toBeLessThan(12);
    await box.hover();
    await page.mouse.wheel(0, -700);
    await expect(toEnd).toBeVisible();
    const place = () => box.locator("[data-entry]").first().boundingBox();
    const before = await place();
    answer.say(manyLines("Shilling"));
    await expect(box).toContainText("Shilling 80.");
    expect(await place()).toEqual(before);

    await toEnd.click();
    await expect(toEnd).toHaveCount(0);
    answer.say(manyLines("Penny"));
    await expect(box).toContainText("Penny 80.");
    await expect.poll(atEnd).toBeLessThan(12);
    answer.end();
    await expect(listed(page, /^Done/)).toContainText("Answered");
    await expect(page.getByText("Being said")).toHaveCount(0);
    await expect(box.getByText("Penny 80.")).toBeInViewport();
  });
});

test("a run is renamed, pinned, found, started again elsewhere and deleted, and a second window sees the same", async ({
  page,
  openDesk,
  newRepository,
}) => {
  const desk = await openDesk([{ match: /^Say/, turns: [say("Hello."), say("Hello once more.")] }], files);
  await page.goto(desk.served.url);
  await startRun(page, desk, "Say hello.");
  await expect(listed(page, /^Done/)).toContainText("Answered");
  const second = await desk.served.openSecond(page);

  await test.step("what a place cuts off is told whole where the pointer rests on it", async () => {
    const long = "A word so long that no list of runs holds all of it: it goes on, and on".padEnd(78, "n");
    await choose(page, "Rename");
    await page.getByRole("textbox", { name: "Title of the run" }).fill(long);
    await page.keyboard.press("Enter");
    const title = listed(page, /^Done/).locator(".run-title");
    await expect(title).toHaveText(long);
    await title.hover();
    await expect(title).toHaveAttribute("title", long);
  });

  await test.step("another title, by key", async () => {
    await choose(page, "Rename");
    await page.getByRole("textbox", { name: "Title of the run" }).fill("A friendly word");
    await page.keyboard.press("Enter");
    await expect(heading(page, "A friendly word")).toBeVisible();
    await expect(heading(second, "A friendly word")).toBeVisible();
    await expect(listed(second, /^Done/)).toContainText("A friendly word");
  });

  await test.step("a pinned run cannot be deleted", async () => {
    await choose(page, "Pin: keep it whatever its age");
    await expect(page.getByRole("img", { name: "pinned" })).toBeVisible();
    await page.getByRole("button", { name: "More about this run" }).click();
    await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused();
    await expect(page.getByRole("menuitem", { name: "Delete…" })).toHaveCount(0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("img", { name: "pinned" })).toHaveCount(0);
  });

  await test.step("the list is filtered by words of the title", async () => {
    const filter = page.getByRole("textbox", { name: "Filter runs by title or id" });
    await filter.fill("nothing like it");
    await expect(listed(page, /^Done/)).toHaveCount(0);
    await filter.fill("word FRIENDLY");
    await expect(listed(page, /^Done/)).toHaveCount(1);
    await filter.press("Escape");
  });

  const other = newRepository(files);
  await test.step("the same again, in another repository", async () => {
    await choose(page, "Run again…");
    await expect(page.getByLabel("Task")).toHaveValue("Say hello.");
    await page.getByLabel("Repository").fill(other.folder);
    await page.getByLabel("Task").press("Control+Enter");
    await expect(heading(page, "Say hello.")).toBeVisible();
    await expect(listed(page, /^Done/)).toHaveCount(2);
  });

  await test.step("the list is held to one repository, over a reload too, and leads to another", async () => {
    // Both folders are called the same, so the one above is said.
    const name = desk.repository.folder.split("/").slice(-2).join("/");
    await page.getByRole("button", { name: "All runs", exact: true }).click();
    await page.getByRole("menuitemradio", { name }).click();
    await expect(listed(page, /^Done/)).toHaveText([/A friendly word/]);
    await listed(page, /^Done/).click();
    await page.reload();
    await expect(listed(page, /^Done/)).toHaveText([/A friendly word/]);
    await page.getByRole("button", { name: `Runs of ${name}` }).click();
    await page.getByRole("menuitem", { name: "Open another…" }).click();
    const dialog = page.getByRole("dialog", { name: "Open a repository" });
    await dialog.getByLabel("Folder").fill(other.folder);
    expect(await findSerious(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Repository")).toHaveValue(other.folder);
    await page.getByRole("button", { name: /^Runs of/ }).click();
    await page.getByRole("menuitemradio", { name: "All repositories" }).click();
    await listed(page, /^Done/).filter({ hasText: "Say hello." }).click();
  });

  await test.step("the two beside each other", async () => {
    await choose(page, "Compare with another run…");
    const table = page.getByRole("table", { name: /^What each took/ });
    await expect(table.getByRole("row", { name: /^Outcome/ })).toHaveText(/Answered.*Answered/);
    await expect(page.getByRole("combobox", { name: "Second run" })).toContainText("A friendly word");
    expect(await findSerious(page)).toEqual([]);
    await table.getByRole("button", { name: "A friendly word" }).click();
    await expect(heading(page, "A friendly word")).toBeVisible();
  });

  await test.step("its end, once what it holds was said", async () => {
    await listed(page, /^Done/).filter({ hasText: "A friendly word" }).click();
    await choose(page, "Delete…");
    const dialog = page.getByRole("dialog", { name: "Delete “A friendly word”?" });
    await expect(dialog).toContainText(/Its journal is deleted: \d+ events of the lead and 0 subagents/);
    await expect(dialog.getByRole("button", { name: "Keep the run" })).toBeFocused();
    expect(await findSerious(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete the run" }).click();
    await expect(listed(page, /^Done/)).toHaveCount(1);
    await expect(heading(page, "Say hello.")).toBeVisible();
    await expect(listed(second, /^Done/)).toHaveCount(1);
  });

  await test.step("what is left follows its repository to where that was moved", async () => {
    const moved = join(other.outside, "moved");
    renameSync(other.folder, moved);
    await openTranscript(page);
    await page.getByRole("textbox", { name: "Follow up" }).fill("Say it again.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Choose where it is now…" }).click();
    await page.getByRole("dialog", { name: "Where is the repository now?" }).getByLabel("Folder").fill(moved);
    await page.keyboard.press("Enter");
    await expect(transcript(page)).toContainText("Hello once more.", { timeout: 20_000 });
  });
});

/** Two reviewers who contradict each other about one step of the plan. */
const judged: readonly ScriptedEntry[] = [
  {
    match: /^Judge/,
    turns: [
      plan({ id: "sum", title: "Sum it up", status: "running" }),
      calls(spawn("FIRST", { role: "reviewer", step: "sum" }), spawn("SECOND", { role: "reviewer", step: "sum" })),
      wait(["subagent-1", "subagent-2"]),
      say("Judged."),
      say("Judged, and settled."),
    ],
  },
  { match: /^FIRST/, turns: [verdict("passed", "a.txt:1 is right.")] },
  { match: /^SECOND/, turns: [verdict("failed", "a.txt:2 is wrong.")] },
];

/** An explorer that thinks for ever, beside an executor that wants to run one command and then another. */
const busy: readonly ScriptedEntry[] = [
  {
    match: /^Work/,
    turns: [
      calls(spawn("THINK", {}), spawn("RUN it", { role: "executor", paths: ["."] })),
      wait(["subagent-1", "subagent-2"]),
      say("All told."),
    ],
  },
  { match: /^THINK/, turns: [{ text: "Hm", hangAfter: 1 }] },
  {
    match: /^RUN/,
    turns: [
      runCommand('echo "$HOME" > seen.txt'),
      runCommand("touch ran.txt && echo ran"),
      submit("Denied, so not run."),
    ],
  },
];

test("a command is denied from the inbox by key or with a word to its agent, the run is stopped with its consequences told, and opposite verdicts are settled", async ({
  page,
  openDesk,
}) => {
  const desk = await openDesk([...busy, ...judged], files);
  await page.goto(desk.served.url);
  await startRun(page, desk, "Work on it.");
  await page.getByRole("button", { name: /^Inbox/ }).click();
  const row = page.getByRole("option", { name: /Command/ });
  await expect(row).toContainText('echo "$HOME" > seen.txt', { timeout: 20_000 });
  await row.press("x");

  const ask = page.getByRole("region", { name: /^Command/ });
  await expect(ask.getByText("touch ran.txt && echo ran")).toBeVisible({ timeout: 20_000 });
  await expect(ask).toContainText("subagent-2 asks, turn 2");
  await expect(ask).toContainText("the worktree of subagent-2; no network");
  await expect(ask.getByRole("radio", { name: "This exact line, for this run" })).toBeVisible();
  expect(await findSerious(page)).toEqual([]);
  await ask.getByRole("textbox").fill("Use the file that is there.");
  await ask.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("Nothing needs you")).toBeVisible();
  const decided = page.getByRole("region", { name: "Decided today 2" }).getByRole("button");
  await expect(decided).toContainText([/^Denied.*touch ran\.txt.*subagent-2.*you/, /^Denied.*seen\.txt/]);
  await decided.first().click();
  await expect(page.getByRole("tab", { name: "Transcript" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("complementary")).toContainText("subagent-2");
  await page.goBack();

  await listed(page, /^Running/).click();
  const notepad = page.getByRole("region", { name: "Notepad" });
  await notepad.getByRole("button", { name: "Add a note…" }).click();
  await notepad.getByRole("textbox", { name: "Note" }).fill("Keep the home folder out of it.");
  await notepad.getByRole("button", { name: "Add", exact: true }).click();
  await notepad.getByRole("button", { name: "Take back this decision" }).click();
  await expect(notepad).toContainText("Taken back by a person");

  await page.getByRole("button", { name: "Stop…" }).click();
  const dialog = page.getByRole("dialog", { name: "Stop “Work on it.”?" });
  await expect(dialog).toContainText("stop where they are");
  await expect(dialog).toContainText("Nothing has landed, so your branches stay as they are.");
  await dialog.getByRole("button", { name: "Stop the run" }).click();
  await expect(listed(page, /^Done/)).toContainText("Stopped", { timeout: 20_000 });
  const told = desk.server.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n");
  expect(told).toContain("Use the file that is there.");

  await test.step("opposite verdicts stand beside each other, with the step that they block, until one holds", async () => {
    await startRun(page, desk, "Judge it.");
    await page.getByRole("tab", { name: "Overview" }).click();
    const card = page.getByRole("region", { name: /^Reconciliation/ });
    await expect(card.getByRole("region", { name: "It passed" })).toContainText("subagent-1", { timeout: 20_000 });
    await expect(card.getByRole("region", { name: "It failed" })).toContainText("a.txt:2 is wrong.");
    await expect(page.getByRole("region", { name: "Plan" })).toContainText("Blocked");
    expect(await findSerious(page)).toEqual([]);
    await card.getByRole("button", { name: "It failed" }).click();
    await expect(page.getByText("Judged, and settled.")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole("region", { name: "Plan" })).toContainText("Under way");
  });
});

test("when the program dies in the middle of a run the window says so, and the run goes on from where it stood", async ({
  page,
  openDesk,
  serveAgain,
}, { project }) => {
  test.skip(project.name !== "browser", "in the desktop the program and its window die together");
  const gate = Promise.withResolvers<void>();
  const desk = await openDesk(
    [
      {
        match: /^Change/,
        turns: [calls(spawn("EDIT", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Changed.")],
      },
      {
        match: /^EDIT/,
        turns: [edit("a.txt", ["two", "zwei"]), { ...submit("It says zwei."), gate: gate.promise }],
      },
    ],
    files,
  );
  await page.goto(desk.served.url);
  await startRun(page, desk, "Change it.");
  // Its edit is made, and the answer to its next request never comes.
  const asked = () => desk.server.requests.filter(({ firstUserMessage }) => firstUserMessage.startsWith("EDIT")).length;
  await expect.poll(asked, { timeout: 20_000 }).toBe(2);

  desk.served.process.kill("SIGKILL");
  await expect(page.getByRole("status").first()).toContainText("Connection lost");
  await expect(heading(page, "Change it.")).toBeVisible();
  gate.resolve();

  const again = await serveAgain(desk.home, desk.served.url);
  await expect(page.getByRole("status").first()).toContainText("This session is over");
  await page.goto(again.url);
  // What one unclean end has cut goes on by itself.
  await expect(listed(page, /^Ready to review/)).toContainText("1 review", { timeout: 20_000 });
  await page.getByRole("option", { name: /^Executor 1/ }).click();
  await openTranscript(page);
  await expect(transcript(page)).toContainText("Request lost");
  await page.getByRole("button", { name: "Review 1 change set…" }).click();
  await expect(page.getByText("zwei").first()).toBeVisible();
});
