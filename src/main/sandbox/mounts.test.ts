import { describe, expect, it } from "vitest";
import { isVisible, isWithin, type Mount } from "./mounts.ts";

const mounts: readonly Mount[] = [
  { kind: "readOnly", path: "/data/work/own/.git" },
  { kind: "writable", path: "/data/work/own" },
  { kind: "empty", path: "/data", isWritable: false },
  { kind: "empty", path: "/tmp", isWritable: true },
  { kind: "masked", path: "/data/work/own/socket" },
  { kind: "readOnly", path: "/data/tools", source: "/opt/tools" },
];

describe("a path inside", () => {
  it.each([
    ["/etc/passwd", true],
    ["/data/journal", false],
    ["/data/work/own/a.txt", true],
    ["/data/work/own/socket", false],
    ["/data/work/other", false],
    ["/database", true],
  ])("%s is visible: %s", (path, expected) => {
    expect(isVisible(path, mounts)).toBe(expected);
  });

  it("is within a folder by whole names", () => {
    expect([isWithin("/a/b", "/a"), isWithin("/a", "/a"), isWithin("/ab", "/a"), isWithin("/a", "/")]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});
