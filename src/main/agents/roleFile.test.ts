// What a role file may say, what is wrong with others, and that none of it widens what its agents may do.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { readRoleFile, roleFrontSchema, type RoleTerms, usualTerms } from "./roleFile.ts";

const own = ".coppice/roles/migrations.md";
const text = (front: string, body = "Write migrations that can be rolled back.") => `---\n${front}\n---\n\n${body}\n`;
const read = (front: string, terms: Partial<RoleTerms> = {}, path = own) =>
  readRoleFile(path, text(front), { ...usualTerms, ...terms });
const all: Partial<RoleTerms> = { ceiling: "execute" };

test("the front matter is published as a JSON Schema; `npx vitest run FILE -u` writes it anew", async () => {
  const schema = { title: "Coppice: front matter of .coppice/roles/NAME.md", ...z.toJSONSchema(roleFrontSchema) };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    "../../../resources/schemas/role.schema.json",
  );
});

describe("a role file", () => {
  test("says what the role is for, its tools, its limits, and how to work", () => {
    const front =
      "description: Writes SQL migrations\ntools: [readFile, applyEdit]\nmodel: small\nlimits:\n  steps: 10\n  costUsd: 0.5";
    const file = read(front, { ceiling: "write", models: ["small"] });
    expect(file).toEqual({
      path: own,
      name: "migrations",
      problem: null,
      remarks: [],
      role: {
        name: "migrations",
        about: "Writes SQL migrations",
        path: own,
        hash: createHash("sha256").update(text(front)).digest("hex"),
        instructions: "Write migrations that can be rolled back.",
        tools: ["readFile", "applyEdit"],
        ceiling: "write",
        steps: 10,
        budget: { steps: 10, toolCalls: 160, inputTokens: null, outputTokens: null, costMicros: 500_000 },
        proposes: true,
        readsProposals: false,
        model: "small",
      },
    });
  });

  test("reads, and nothing more, where it names no tools or a person allows no more", () => {
    const bare = read("description: Looks");
    expect([bare.role?.ceiling, bare.role?.tools.includes("applyEdit"), bare.role?.steps]).toEqual(["read", false, 25]);
    const capped = read("description: Runs\ntools: readFile, runCommand, applyEdit");
    expect([capped.role?.tools, capped.role?.ceiling, capped.remarks]).toEqual([
      ["readFile"],
      "read",
      ["Without applyEdit, runCommand: files of repositories may read, as the settings say under Roles."],
    ]);
  });

  test("widens no limit and brings no model of its own", () => {
    const { role, remarks } = read("description: Wants all\nmodel: dear\nlimits: { steps: 900, toolCalls: 9000 }", all);
    expect([role?.steps, role?.budget.toolCalls, role?.model, remarks]).toEqual([
      25,
      100,
      undefined,
      ["On the run's model: dear is none that is set up at its server."],
    ]);
  });

  test.each([
    ["no front matter", "Just a text.", "does not begin with front matter"],
    ["no YAML", text("description: [open"), "is not YAML"],
    ["no description", text("tools: readFile"), "`description`"],
    ["a field that is none", text("description: x\nceiling: execute"), "`ceiling` is nothing that a role can set"],
    ["depth", text("description: x\nlimits: { depth: 3 }"), "`limits.depth` is nothing that a role can set"],
    ["a tool that is none", text("description: x\ntools: [deploy]"), "There is no tool deploy"],
    ["the lead's tools", text("description: x\ntools: [spawnSubagent]"), "There is no tool spawnSubagent"],
    ["tools above all that is allowed", text("description: x\ntools: [runCommand]"), "is more than files"],
    ["the name of a built-in role", text("description: x\nname: executor"), "executor is a built-in role"],
    ["a name that is none", text("description: x\nname: Two Words"), "`name`: is lower-case letters"],
    ["no instructions", "---\ndescription: x\n---\n", "It has no instructions"],
    ["too long instructions", text("description: x", "x".repeat(16_001)), "at most 16000"],
    ["too large a file", text("description: x", "x".repeat(70_000)), "larger than 64 KiB"],
    ["aliases", text("description: &a x\nmodel: *a"), "cannot be used"],
  ])("with %s is refused in a sentence", (_what, whole, said) => {
    const file = readRoleFile(own, whole, usualTerms);
    expect([file.role, file.problem]).toEqual([null, expect.stringContaining(said)]);
  });
});

describe("a file that is written for another tool", () => {
  const path = ".claude/agents/code-checker.md";

  test("is read by what Coppice knows of it, though its front matter be no YAML", () => {
    const front =
      "name: Code Checker\ndescription: Use it when: a change is done. Example: <x>\\nsee\ntools: Read, Grep, Bash, WebFetch\nmodel: inherit\ncolor: red";
    const file = read(front, all, path);
    expect([file.name, file.role?.about, file.role?.tools, file.role?.model, file.remarks]).toEqual([
      "code-checker",
      "Use it when: a change is done. Example: <x> see",
      ["readFile", "searchText", "runCommand"],
      undefined,
      ["Without WebFetch: Coppice has no such tool."],
    ]);
    expect(read(front, {}, path).role?.tools).toEqual(["readFile", "searchText"]);
  });

  test("is left out with the reason where nothing of it can be used", () => {
    expect([
      read("name: x\ndescription: y\ntools: WebFetch", all, path).problem,
      read("name: x", all, path).problem,
      read("name: reviewer\ndescription: y", all, path).problem,
    ]).toEqual([
      "None of its tools is one that Coppice has.",
      "It has no `description`.",
      "reviewer is a built-in role; give this one another name.",
    ]);
  });
});
