import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const styles = globSync("*.css", { cwd: import.meta.dirname }).map((file) =>
  readFileSync(join(import.meta.dirname, file), "utf8"),
);
const endless = styles.flatMap((css) =>
  [...css.matchAll(/animation: (?<name>[\w-]+) (?<how>[^;]*\binfinite\b[^;]*);/g)].map(({ groups }) => ({
    name: groups?.["name"] ?? "",
    how: groups?.["how"] ?? "",
  })),
);

/** The properties that the keyframes of an animation change. */
function changedBy(name: string): readonly string[] {
  const frames = styles.flatMap((css) => css.match(new RegExp(`@keyframes ${name} \\{[\\s\\S]*?\\n\\}`)) ?? []);
  return [...new Set(frames.flatMap((text) => [...text.matchAll(/([\w-]+):/g)].map(([, property]) => property ?? "")))];
}

test("what moves without end moves in steps, and by transform or opacity: else every frame is drawn, or painted anew", () => {
  expect(
    endless.map(({ name, how }) => ({ name, isStepped: /steps\(\d+\)/.test(how), changes: changedBy(name) })),
  ).toEqual([
    { name: "turn", isStepped: true, changes: ["transform"] },
    { name: "flow", isStepped: true, changes: ["transform"] },
  ]);
});
