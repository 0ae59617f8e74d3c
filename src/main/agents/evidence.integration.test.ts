// Evidence against real files: found, not found, not checkable.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvidenceClaim } from "../domain/records.ts";
import { markEvidence } from "./evidence.ts";
import { makeTempFolder } from "./tools/contextFixture.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;

beforeAll(async () => {
  temp = await makeTempFolder();
  await mkdir(join(temp.path, "src"));
  await writeFile(
    join(temp.path, "src", "pay.ts"),
    "function pay() {\n\tcharge( card );\n  log('x');\n}\ncharge(card);\n",
  );
  await writeFile(join(temp.path, "Makefile"), "all:\n");
  await writeFile(join(temp.path, "secret.env"), "A=1\nTOKEN=abc\n");
  await writeFile(join(temp.path, "bin"), Buffer.from([1, 0]));
});
afterAll(() => temp.remove());

const rows: readonly (readonly [string, EvidenceClaim, string])[] = [
  ["a file", { source: "src/pay.ts" }, "found"],
  ["a line of it", { source: "src/pay.ts:5" }, "found"],
  ["a line past its end", { source: "src/pay.ts:6" }, "not found"],
  ["a range", { source: "src/pay.ts:2-4" }, "found"],
  ["a range backwards", { source: "src/pay.ts:4-2" }, "not found"],
  ["line 0", { source: "src/pay.ts:0" }, "not found"],
  ["a quote with other white space", { source: "src/pay.ts:2", quote: "charge(card);" }, "found"],
  ["a quote that runs on from its line", { source: "src/pay.ts:2", quote: "charge(card);\nlog('x');" }, "found"],
  ["a quote of the line above", { source: "src/pay.ts:3", quote: "function pay()" }, "not found"],
  ["a quote that stands only later", { source: "src/pay.ts:1", quote: "log('x')" }, "not found"],
  ["a quote past the end of its range", { source: "src/pay.ts:1-2", quote: "charge(card);\nlog('x');" }, "not found"],
  [
    "a quote as readFile numbers it",
    { source: "src/pay.ts:2-3", quote: "    2\t\tcharge( card );\n    3\t  log('x');" },
    "found",
  ],
  ["a quote anywhere", { source: "src/pay.ts", quote: "log('x')" }, "found"],
  ["a quote that is nowhere", { source: "src/pay.ts", quote: "log('y')" }, "not found"],
  ["the line in its own field", { source: "src/pay.ts", line: 5, quote: "charge(card)" }, "found"],
  ["a wrong line in its own field", { source: "src/pay.ts", line: 4, quote: "charge(card)" }, "not found"],
  ["a line that is not there in its own field", { source: "src/pay.ts", line: 50 }, "not found"],
  ["a file without an extension", { source: "Makefile" }, "found"],
  ["a folder", { source: "src/" }, "found"],
  ["a quote as it was shown without its secret", { source: "secret.env:2", quote: "TOKEN=[redacted:token]" }, "found"],
  ["a file that is not there", { source: "src/refund.ts:3" }, "not found"],
  ["a URL", { source: "https://example.com/a.ts:1" }, "not checkable"],
  ["prose", { source: "the lead said so." }, "not checkable"],
  ["a command", { source: "npm test" }, "not checkable"],
  ["a word", { source: "observation" }, "not checkable"],
  ["a place outside", { source: "../other/a.ts:1" }, "not checkable"],
  ["an absolute path", { source: "/etc/passwd:1" }, "not checkable"],
  ["what git keeps", { source: ".git/config:1" }, "not checkable"],
  ["a file that is not text", { source: "bin", quote: "x" }, "not checkable"],
  ["nothing", { source: " " }, "not checkable"],
];

test.each(rows)("%s", async (_, claim, mark) => {
  expect(await markEvidence([claim], temp.path)).toEqual([{ ...claim, mark }]);
});
