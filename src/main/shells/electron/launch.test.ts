import { tmpdir } from "node:os";

import { expect, test } from "vitest";

import { readLaunch } from "./launch.ts";

const here = tmpdir();

test("a link is followed wherever it stands among the arguments", () => {
  const link = "coppice://run/abcdefghjk?at=812";
  expect(readLaunch(["--enable-x", "/opt/coppice", link], here, "/opt/coppice")).toEqual({
    kind: "go",
    search: "?run=abcdefghjk&at=812",
  });
});

test("a folder is one to begin in, unless it is the application's own", () => {
  expect(readLaunch(["."], here, "/opt/coppice")).toEqual({ kind: "newRun", folder: here });
  expect(readLaunch([here], "/", here)).toBeNull();
});

test("what is neither is left alone", () => {
  expect(readLaunch(["--inspect", "", "coppice://run/../x", "nowhere/at/all", "--"], here, "/opt/coppice")).toBeNull();
});
