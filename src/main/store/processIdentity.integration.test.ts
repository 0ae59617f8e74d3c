import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import { identifyThisProcess, isGone } from "./processIdentity.ts";

const here = identifyThisProcess();

test("this process is not gone", () => {
  expect(isGone(here, here)).toBe(false);
});

test("a pid that belongs to a process started at another time is gone", () => {
  expect(isGone({ ...here, started: `${here.started}0` }, here)).toBe(true);
});

test("a process that has ended is gone", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const other = { ...here, pid: child.pid ?? 0 };
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isGone(other, here)).toBe(true);
});

test("nothing is said of a process on another host", () => {
  expect(isGone({ ...here, host: "elsewhere", started: "x" }, here)).toBe(false);
});

test.runIf(process.platform === "linux")("nothing is said of a process in another container of this kernel", () => {
  const [boot = "", , ticks = ""] = here.started.split("/");
  expect(isGone({ ...here, pid: 2 ** 22, started: `${boot}/pid:[1]/${ticks}` }, here)).toBe(false);
});
