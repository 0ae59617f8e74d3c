import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { expect, test } from "vitest";

import { rooms } from "../../scripts/boundaries.ts";
import { projectRoot } from "../support/commandLineBuild.ts";
import { leastSeams } from "./leastSeams.ts";
import { addSeams, seamRooms } from "./seams.ts";

test("each await gets a seam of its own, named after its place, one inside another too", () => {
  expect(addSeams("async function f() {\n  return await g(await h());\n}\n", "src/main/engine/x.ts")).toEqual({
    text: [
      "async function f() {",
      '  return await passSeam("src/main/engine/x.ts:2", async () => (g(await passSeam("src/main/engine/x.ts:2", async () => (h())))));',
      "}",
      "",
    ].join("\n"),
    sites: ["src/main/engine/x.ts:2", "src/main/engine/x.ts:2"],
  });
});

test("an await where no seam can stand is refused by its place", () => {
  expect(() => addSeams("async function* f() {\n  await (yield 1);\n}\n", "x.ts")).toThrow("x.ts:2 awaits a yield");
});

test("every await of the rooms that act passes a seam, and there are no fewer than there were", () => {
  const sites = seamRooms.flatMap((room) =>
    sourcesIn(room).flatMap((file) => addSeams(readFileSync(join(projectRoot, file), "utf8"), file).sites),
  );
  expect(sites.length).toBeGreaterThanOrEqual(leastSeams);
});

test("a room that may act on the world has its awaits among the seams", () => {
  const acting = rooms.filter(({ name, node }) => node && !unseamed.has(name)).flatMap(({ at }) => at);
  const without = acting.filter((place) => place.endsWith("/") && !seamRooms.some((room) => place.startsWith(room)));
  expect(without).toEqual([]);
});

/** Rooms on this side of the shell, of the page or of the log: a crash in them is one of the rooms that they call. */
const unseamed: ReadonlySet<string> = new Set([
  "workbench",
  "shells",
  "entries",
  "logging",
  "preload",
  "care",
  "pages",
]);

function sourcesIn(room: string): readonly string[] {
  return readdirSync(join(projectRoot, room), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        entry.name.endsWith(".ts") &&
        !entry.name.includes(".test.") &&
        !entry.name.startsWith("fixture"),
    )
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)));
}
