// Narrowing, offers, and the edge at which a model's arguments are read.

import { describe, expect, test } from "vitest";
import type { EffectRank } from "../../domain/records.ts";
import { applyEdit } from "./applyEdit.ts";
import { readFile } from "./readFile.ts";
import { listFiles } from "./listFiles.ts";
import { effectClassOf, offerOf, parseArguments, restrictRegistry, workTools } from "./registry.ts";
import { runCommand } from "./runCommand.ts";

const everything = workTools.map(({ name }) => name);
const role = (tools: readonly string[], ceiling: EffectRank) => ({ name: "custom", tools, ceiling });
const names = (result: ReturnType<typeof restrictRegistry>) =>
  result.ok ? result.value.map(({ name }) => name) : result.error.code;

describe("restrictRegistry", () => {
  test("keeps a tool only when the role lists it, its rank is within the ceiling and the parent has it", () => {
    expect([
      names(restrictRegistry(workTools, role(everything, "read"))),
      names(restrictRegistry(workTools, role(everything, "write"))),
      names(restrictRegistry(workTools, role(["runCommand", "readFile"], "execute"))),
      names(restrictRegistry([readFile], role(everything, "execute"))),
    ]).toEqual([
      ["listFiles", "readFile", "searchText", "browseSymbols", "exploreCode", "readChangeSet"],
      ["listFiles", "readFile", "searchText", "browseSymbols", "exploreCode", "readChangeSet", "applyEdit"],
      ["readFile", "runCommand"],
      ["readFile"],
    ]);
  });

  test("hints only narrow", () => {
    expect([
      names(restrictRegistry(workTools, role(everything, "read"), ["readFile", "applyEdit"])),
      names(restrictRegistry(workTools, role(["readFile"], "read"), [])),
    ]).toEqual([["readFile"], ["readFile"]]);
  });

  test("hints that match nothing are refused with what there is", () => {
    const refused = restrictRegistry(workTools, role(["readFile"], "read"), ["grep"]);
    expect(refused).toEqual({
      ok: false,
      error: {
        code: "NO_TOOLS_LEFT",
        message: "None of the hinted tools (grep) belongs to custom. Available: readFile.",
        details: { available: ["readFile"] },
      },
    });
  });

  test("nothing of it can be changed afterwards", () => {
    const kept = restrictRegistry(workTools, role(everything, "execute"));
    expect([
      Object.isFrozen(workTools),
      kept.ok && Object.isFrozen(kept.value),
      workTools.every(Object.isFrozen),
    ]).toEqual([true, true, true]);
  });
});

test("a command is rerunnable only inside the sandbox and without network", () => {
  expect([
    effectClassOf(runCommand, { sandbox: "bubblewrap", network: "off" }),
    effectClassOf(runCommand, { sandbox: "bubblewrap", network: "on" }),
    effectClassOf(runCommand, { sandbox: "none", network: "off" }),
    effectClassOf(applyEdit, { sandbox: "none", network: "on" }),
  ]).toEqual(["rerunnable", "opaque", "opaque", "verifiable"]);
});

test("every tool is offered as an object schema that allows no other keys", () => {
  const offers = workTools.map(offerOf);
  for (const { parameters } of offers)
    expect(parameters).toMatchObject({ type: "object", additionalProperties: false });
  expect(JSON.stringify(offers)).not.toContain("$schema");
  expect(offerOf(readFile).parameters).toMatchObject({
    required: ["path"],
    properties: { path: { type: "string" }, startLine: { type: "integer", minimum: 1 } },
  });
});

describe("parseArguments", () => {
  test.each([
    ["an object", '{"path":"a"}', { path: "a" }],
    ["an object that was encoded twice", JSON.stringify('{"path":"a"}'), { path: "a" }],
  ])("reads %s", (_, text, value) => {
    expect(parseArguments(readFile, text)).toEqual({ ok: true, value });
  });

  test("[E17] takes nothing at all for a tool that needs nothing, and names what another one needs", () => {
    expect(parseArguments(listFiles, " ")).toEqual({ ok: true, value: {} });
    expect(parseArguments(readFile, "")).toMatchObject({
      ok: false,
      error: { code: "BAD_ARGUMENTS", message: expect.stringContaining("path: ") },
    });
  });

  test.each([
    ["cut JSON", '{"path":"a.tx', "not valid JSON"],
    ["null", "null", "not a JSON object"],
    ["a list", "[1]", "not a JSON object"],
    ["a string", '"a"', "not valid JSON"],
    ["a number", "5", "not a JSON object"],
    ["what was encoded three times", JSON.stringify(JSON.stringify('{"path":"a"}')), "not a JSON object"],
    ["an unknown key", '{"path":"a","encoding":"x"}', "unknown encoding"],
    ["a key that objects have anyway", '{"path":"a","__proto__":{}}', "unknown __proto__"],
    ["a wrong type", '{"path":7}', "path: "],
    ["a number that is not whole", '{"path":"a","startLine":1.5}', "startLine: "],
  ])("[E16] refuses %s, with the schema", (_, text, what) => {
    const parsed = parseArguments(readFile, text);
    expect(!parsed.ok && parsed.error.message).toContain(what);
    expect(!parsed.ok && parsed.error.message).toContain('"additionalProperties":false');
  });

  test("names a field deep inside", () => {
    const parsed = parseArguments(applyEdit, '{"changes":[{"kind":"replace","path":"a","oldText":"x"}]}');
    expect(!parsed.ok && parsed.error.message).toContain("changes.0.newText: ");
  });

  test("shows no more than a little of long arguments", () => {
    const parsed = parseArguments(readFile, `{"path":"${"x".repeat(100_000)}`);
    expect(!parsed.ok && parsed.error.message.length).toBeLessThan(2000);
  });

  test("refuses text that UTF-8 has no form for", () => {
    const parsed = parseArguments(applyEdit, String.raw`{"changes":[{"kind":"create","path":"a","content":"\ud800"}]}`);
    expect(!parsed.ok && parsed.error.message).toContain("changes.0.content: ");
  });
});
