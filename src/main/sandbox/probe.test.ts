import { describe, expect, it } from "vitest";
import { explainFailure } from "./probe.ts";

describe("a sandbox that cannot be made", () => {
  it.each([
    ["bwrap: setting up uid map: Permission denied", "AppArmor"],
    ["bwrap: No permissions to create new namespace, likely because…", "AppArmor"],
    ["bwrap: Unknown option --size", "0.6 or newer"],
    ["something else", "bwrap --ro-bind / / true"],
  ])("is explained with the words of bubblewrap and a remedy: %s", (words, remedy) => {
    const sentence = explainFailure("/usr/bin/bwrap", words);
    expect([sentence.includes(words), sentence.includes(remedy)]).toEqual([true, true]);
  });
});
