import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { launchFailure, prepareLaunch, type Launcher } from "./launch.ts";
import type { Layout } from "./mounts.ts";
import type { ProcessEnd } from "./process.ts";
import { seatbeltProfile } from "./seatbelt.ts";

const layout: Layout = { mounts: [{ kind: "writable", path: "/work" }], cwd: "/work/sub", network: "off" };
const seatbelt: Launcher = { kind: "seatbelt", file: "/usr/bin/sandbox-exec" };
const bubblewrap: Launcher = { kind: "bubblewrap", file: "/usr/bin/bwrap" };

describe("a launch", () => {
  it("by Seatbelt takes its profile from a file of this one command, which goes with it", async () => {
    const launch = await prepareLaunch(seatbelt, layout, ["/bin/sh", "-c", "x"]);
    const [file = ""] = launch.argv.filter((argument) => argument.endsWith(".sb"));
    expect(launch).toMatchObject({
      argv: ["/usr/bin/sandbox-exec", "-f", file, "/bin/sh", "-c", "x"],
      cwd: "/work/sub",
      hasStatus: false,
    });
    expect(readFileSync(file, "utf8")).toBe(seatbeltProfile(layout));
    await launch.dispose();
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it("by bubblewrap is all arguments, and changes folder inside", async () => {
    const launch = await prepareLaunch(bubblewrap, layout, ["/bin/sh", "-c", "x"]);
    expect([launch.argv[0], launch.cwd, launch.hasStatus]).toEqual(["/usr/bin/bwrap", "/", true]);
    expect(launch.argv.join(" ")).toContain("--chdir /work/sub --json-status-fd 3 -- /bin/sh -c x");
  });

  it.each<[Launcher, Partial<ProcessEnd>, string | null]>([
    [bubblewrap, { exitCode: 1, launcherWords: "bwrap: no", launcherStatus: '{"child-pid":1}' }, "bwrap: no"],
    [bubblewrap, { exitCode: 7, launcherStatus: "" }, "bwrap ended with 7"],
    [bubblewrap, { exitCode: 1, launcherStatus: '{"exit-code":1}' }, null],
    [seatbelt, { exitCode: 65, launcherWords: "sandbox-exec: syntax error" }, "sandbox-exec: syntax error"],
    [seatbelt, { exitCode: 65 }, null],
    [seatbelt, { cause: "timeout", launcherWords: "sandbox-exec: late" }, null],
  ])("by %o failed when it ended as %o: %s", (launcher, change, failure) => {
    const end: ProcessEnd = {
      cause: "exited",
      exitCode: 0,
      signal: null,
      running: "",
      left: [],
      launcherWords: "",
      launcherStatus: "",
      ...change,
    };
    expect(launchFailure(launcher, end)).toBe(failure);
  });
});
