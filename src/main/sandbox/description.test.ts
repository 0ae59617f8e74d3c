import { describe, expect, it } from "vitest";
import { describeRunning } from "./description.ts";

function row(pid: number, parent: number, ...argv: readonly string[]) {
  return { pid, parent, group: 1, session: 1, argv, environment: [] };
}

describe("what was running", () => {
  it("is each innermost process with what led to it, without launcher and shell", () => {
    const rows = [
      row(1, 0, "/usr/bin/bwrap", "--x"),
      row(2, 1, "bwrap"),
      row(3, 2, "/bin/bash", "-c", "git commit | cat"),
      row(4, 3, "git", "commit"),
      row(5, 4, "/usr/bin/gpg"),
      row(6, 3, "cat"),
    ];
    expect(describeRunning(rows, 1)).toBe("git commit → gpg, cat");
  });

  it("is the shell itself when nothing runs below it", () => {
    expect(describeRunning([row(1, 0, "/bin/bash", "-c", "read x")], 1)).toBe("bash -c read x");
  });

  it("is short however much runs", () => {
    const rows = Array.from({ length: 9 }, (_, index) => row(10 + index, 1, "x".repeat(200)));
    expect(describeRunning(rows, 1)).toMatch(/^(x{59}…, ){3}x{59}… and 5 more$/);
  });
});
