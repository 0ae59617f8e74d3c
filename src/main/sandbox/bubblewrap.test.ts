import { describe, expect, it } from "vitest";
import { bubblewrapArguments } from "./bubblewrap.ts";
import type { Mount } from "./mounts.ts";

const mounts: readonly Mount[] = [
  { kind: "readOnly", path: "/data/work/own/.git" },
  { kind: "writable", path: "/data/work/own" },
  { kind: "empty", path: "/data", isWritable: false },
  { kind: "empty", path: "/tmp", isWritable: true },
  { kind: "masked", path: "/data/work/own/socket" },
  { kind: "readOnly", path: "/data/tools", source: "/opt/tools" },
];

describe("the arguments for bubblewrap", () => {
  it("mount outer folders before inner ones, and close the empty ones last", () => {
    const args = bubblewrapArguments({ mounts, cwd: "/data/work/own", network: "off" }, ["/bin/sh", "-c", "x"]).join(
      " ",
    );
    expect(args.slice(args.indexOf("--dev"))).toBe(
      "--dev /dev --size 1073741824 --tmpfs /data --size 1073741824 --tmpfs /tmp --ro-bind /opt/tools /data/tools " +
        "--bind /data/work/own /data/work/own --ro-bind /data/work/own/.git /data/work/own/.git " +
        "--ro-bind /dev/null /data/work/own/socket --remount-ro /data " +
        "--chdir /data/work/own --json-status-fd 3 -- /bin/sh -c x",
    );
  });

  it("share the network only when it is on", () => {
    const argsFor = (network: "on" | "off"): readonly string[] =>
      bubblewrapArguments({ mounts: [], cwd: "/", network }, ["x"]);
    expect([argsFor("off").includes("--unshare-net"), argsFor("on").includes("--unshare-net")]).toEqual([true, false]);
  });

  it("show a folder that is both hidden and the root", () => {
    const both: readonly Mount[] = [
      { kind: "writable", path: "/data" },
      { kind: "empty", path: "/data", isWritable: false },
    ];
    expect(bubblewrapArguments({ mounts: both, cwd: "/data", network: "off" }, ["x"])).not.toContain("--tmpfs");
  });
});
