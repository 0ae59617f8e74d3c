// What only a desktop has: its menu, links, notifications, dialogs and locks, and how it is quit. The built application
// runs on the stand-in for Electron; what it does to the desktop is looked at there.

import { readdir, readFile, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import type { WorkbenchBridge } from "../src/shared/contract/bridge.ts";
import type { CommandId, RunId } from "../src/shared/contract/ids.ts";
import { calls, type Desk, edit, say, spawn, submit, test, wait } from "./fixtures/desk.ts";
import { expect, type Served } from "./fixtures/workbench.ts";
import { DesktopApp } from "./standin/drive.ts";

type PageWindow = typeof globalThis & { readonly workbench: WorkbenchBridge };

const files = { "a.txt": "one\ntwo\n" };

/** An executor whose change waits for its review. */
const reviewed = [
  {
    match: /^Change/,
    turns: [calls(spawn("EDIT a.txt", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Changed.")],
  },
  { match: /^EDIT/, turns: [edit("a.txt", ["two", "zwei"]), submit("Changed.")] },
];

/** A lead that never comes to its answer. */
const endless = [{ match: /^Think/, turns: [{ hangAfter: 0 }] }];

function appOf({ app }: Served): DesktopApp {
  if (app === null) throw new Error("These specs need the stand-in.");
  return app;
}

/** Starts a run as the page would, and answers with its id. */
async function start(page: Page, { repository, server }: Desk, task: string): Promise<string> {
  const order = { folder: repository.folder, baseUrl: server.baseUrl, task };
  return page.evaluate(async (given) => {
    const { workbench } = globalThis as PageWindow;
    const answer = await workbench.execute({
      commandId: "command-of-desktop-spec" as CommandId,
      command: { type: "startRun", model: "scripted", landOn: { kind: "branch", name: "landed" }, ...given },
    });
    if (!answer.ok) throw new Error(answer.error.message);
    return (answer.value as { readonly run: string }).run;
  }, order);
}

test.describe("the desktop", { tag: "@desktop" }, () => {
  test("[G11][G13] shows one page, which has six requests and no way out but a link that the person has seen", async ({
    page,
    served,
  }) => {
    const app = appOf(served);
    await page.goto(served.url);
    await expect(page.getByRole("group", { name: /^Done/ })).toBeVisible();
    const [opened] = app.happenings.filter(({ what }) => what === "window.opened");
    expect(opened?.detail).toMatchObject({
      webPreferences: { contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false },
    });
    expect(app.count("app.sandboxed")).toBe(1);
    if (process.platform === "linux") expect(await listeningSockets(served.process.pid ?? 0)).toEqual([]);

    await test.step("the page holds the bridge and nothing of Node, and a frame in it not even that", async () => {
      const seen = await page.evaluate(() => ({
        bridge: Object.keys((globalThis as PageWindow).workbench).toSorted((a, b) => (a < b ? -1 : 1)),
        isFrozen: Object.isFrozen((globalThis as PageWindow).workbench),
        leaks: ["require", "process", "module", "Buffer", "standinInvoke"].filter((name) => name in globalThis),
      }));
      expect(seen).toEqual({
        bridge: ["callHost", "execute", "onSnapshot", "readContent", "readPage", "subscribe", "unsubscribe"],
        isFrozen: true,
        leaks: [],
      });
      await page.evaluate(() => document.body.append(document.createElement("iframe")));
      await expect.poll(() => page.frames().length).toBe(2);
      const held = await page
        .frames()[1]
        ?.evaluate(() => ["workbench", "standinInvoke"].filter((name) => name in window));
      expect(held).toEqual([]);
    });

    await test.step("it opens no window and goes nowhere", async () => {
      const url = "https://evil.example/";
      await page.evaluate((url) => void window.open(url), url);
      expect(await app.happened("page.opening")).toMatchObject({ detail: { isAllowed: false } });
      await expect.poll(() => page.context().pages().length).toBe(1);
      await page.evaluate((url) => void (location.href = url), url);
      expect(await app.happened("page.navigating")).toEqual({ detail: { url, isAllowed: false } });
      expect(page.url()).toContain(served.url);
    });

    await test.step("what gets around its policy is asked of nobody", async () => {
      const line = await page.context().newCDPSession(page);
      await line.send("Page.setBypassCSP", { enabled: true });
      await page.reload();
      const asked = (url: string) =>
        fetch(url).then(
          ({ status }) => status,
          () => "refused",
        );
      expect([await page.evaluate(asked, served.url), await page.evaluate(asked, "https://evil.example/")]).toEqual([
        200,
        "refused",
      ]);
    });

    await test.step("a link leads outside once the person has seen where", async () => {
      const open = (url: string) =>
        page.evaluate((url) => (globalThis as PageWindow).workbench.callHost({ kind: "openExternal", url }), url);
      expect(await open("file:///etc/passwd")).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
      const answer = open("https://example.com/a");
      const dialog = await app.dialog();
      const usual = dialog.buttons[dialog.defaultId];
      expect([dialog.message, usual]).toEqual(["Open example.com in your browser?", "Cancel"]);
      await dialog.press("Open Link");
      expect(await answer).toEqual({ ok: true, value: null });
      expect(app.happenings.filter(({ what }) => what.startsWith("shell."))).toEqual([
        { what: "shell.openExternal", detail: "https://example.com/a" },
      ]);
    });
  });

  test("[G08] a second start shows the first window, at the place that its link names", async ({
    page,
    served,
    demoHome,
  }) => {
    const app = appOf(served);
    const startAgain = async (link: string) => {
      await app.act("window.blur");
      const second = new DesktopApp({ home: demoHome, args: [link], newPage: () => page.context().newPage() });
      expect([await second.exitCode(), second.count("window.opened")]).toEqual([0, 0]);
    };
    await page.goto(served.url);
    await page.getByRole("group", { name: /^Done/ }).getByRole("option").click();
    await expect(page).toHaveURL(/run=/);
    const run = new URL(page.url()).searchParams.get("run") ?? "";
    await startAgain(`coppice://run/${run}?at=5&agent=subagent-1`);
    await expect(page.locator(".replaying-words")).toContainText("event 5 of");
    await expect(page).toHaveURL(/agent=subagent-1/);
    expect(app.happenings.at(-1)).toEqual({ what: "window.focused", detail: { id: 1 } });

    await test.step("a link that is none of ours shows the window as it stands", async () => {
      const [visited, focusCount] = [[] as string[], app.count("window.focused")];
      page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).search));
      await startAgain("coppice://run/../x");
      await app.happened("window.focused", () => app.count("window.focused") > focusCount);
      // What the page is asked for arrives in order: had the link been believed, it would have been followed by now.
      await app.act("menu.click", "app.inbox");
      await expect(page).toHaveURL(/view=inbox/);
      expect(visited.filter((search) => !search.includes("view=inbox"))).toEqual([]);
    });

    await test.step("its menu is carried out by the window in front, and windows see the same", async () => {
      await app.act("menu.click", "app.keys");
      await expect(page.getByRole("dialog")).toContainText("New run");
      await page.keyboard.press("Escape");
      const second = await served.openSecond(page);
      await expect(second.getByRole("group", { name: /^Done/ }).getByRole("option")).toHaveCount(1);
      await app.act("menu.click", "run.new");
      await expect(second).toHaveURL(/view=new/);
      await expect(page).toHaveURL(/view=inbox/);
    });
  });

  test("tells what needs the person while they look elsewhere, and leads them to it", async ({ page, openDesk }) => {
    const desk = await openDesk(reviewed, files);
    const app = appOf(desk.served);
    await app.act("window.blur");
    const run = await start(page, desk, "Change it.");
    const { detail } = (await app.happened("notification.shown")) as { detail: { id: number; title: string } };
    expect(detail).toMatchObject({ title: "Change it.", body: expect.stringMatching(/^Ready to review/) });
    await app.happened("app.badge", (count: number) => count === 1);
    await app.act("notification.click", detail.id);
    await expect(page).toHaveURL(new RegExp(`run=${run}&review=subagent-1\\.1`));
    await expect(page.locator(".hunk-head")).toHaveCount(1);
    await app.happened("notification.closed");

    const revealed = await page.evaluate(
      (run) => (globalThis as PageWindow).workbench.callHost({ kind: "reveal", run, agent: "subagent-1" }),
      run as RunId,
    );
    expect(revealed).toEqual({ ok: true, value: null });
    const { detail: shown } = (await app.happened("shell.openPath")) as { detail: string };
    expect(await readFile(join(shown, "a.txt"), "utf8")).toBe("one\nzwei\n");
  });

  test("[G19] names the work that quitting would stop, and stops it only when told to", async ({
    page,
    openDesk,
    openHome,
  }) => {
    const desk = await openDesk(endless, files);
    const app = appOf(desk.served);
    const run = await start(page, desk, "Think about it.");
    await desk.server.waitForRequests(1);
    void app.act("menu.click", "quit");
    const dialog = await app.dialog();
    expect(dialog.message).toBe("1 run and 1 agent are at work. Stop them and quit?");
    expect(dialog.detail).toContain("“Think about it.”");
    expect(dialog.buttons[dialog.defaultId]).toBe("Keep Working");
    await dialog.press("Keep Working");
    // Closing the last window asks the same.
    void app.act("window.close", { id: 1 });
    await (await app.dialog()).press("Stop and Quit");
    expect(await app.exitCode()).toBe(0);

    const again = await openHome(desk.home, [`coppice://run/${run}`]);
    const reopened = await appOf(again).page(1);
    await expect(reopened).toHaveURL(new RegExp(`run=${run}`));
    await expect(reopened.getByRole("option", { name: /Think about it/ })).toContainText(/Interrupted/);
  });

  test("[G01][G02] a page that dies comes back as it was, and the second time without what killed it", async ({
    page,
    served,
  }) => {
    const app = appOf(served);
    await page.goto(served.url);
    await page.getByRole("group", { name: /^Done/ }).getByRole("option").click();
    await expect(page).toHaveURL(/run=/);
    const before = page.url();
    for (const place of [before, /view=inbox/]) {
      const loaded = page.waitForEvent("load");
      await app.act("window.crash", { id: 1 });
      await loaded;
      await expect(page).toHaveURL(place);
      await expect(page.getByRole("group", { name: /^Done/ })).toBeVisible();
    }
  });

  test("begins a run in the folder that it was started for", async ({ page, newHome, openHome }) => {
    const { url } = await openHome(await newHome(), [tmpdir()]);
    await expect(page).toHaveURL(/view=new/);
    await expect(page.getByLabel("Repository")).toHaveValue(tmpdir());
    expect(page.url()).toContain(url);
  });
});

/** Local addresses that a process of Linux listens on. */
async function listeningSockets(pid: number): Promise<readonly string[]> {
  const held = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")),
  );
  const own = new Set(held.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")));
  return tables
    .flatMap((table) => table.trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === "0A" && own.has(columns[9] ?? ""))
    .map((columns) => columns[1] ?? "");
}
