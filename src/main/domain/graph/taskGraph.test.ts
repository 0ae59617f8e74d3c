// The graph as shape alone: what may join it, how long its chains are, who depends on whom.

import { describe, expect, test } from "vitest";

import type { SubagentId } from "../../../shared/contract/ids.ts";
import { chainLength, dependentsOf, hasCycle, type TaskGraph, withNode } from "./taskGraph.ts";

function graph(edges: Readonly<Record<string, readonly SubagentId[]>>): TaskGraph {
  return new Map(Object.entries(edges) as [SubagentId, readonly SubagentId[]][]);
}

const chain = graph({ "subagent-1": [], "subagent-2": ["subagent-1"], "subagent-3": ["subagent-2"] });

describe("a chain of three", () => {
  test("has no cycle and length 3", () => {
    expect([hasCycle(chain), chainLength(chain, "subagent-3")]).toEqual([false, 3]);
  });

  test("is allowed where three are, and refused with its length where two are", () => {
    const two = graph({ "subagent-1": [], "subagent-2": ["subagent-1"] });
    expect([withNode(two, "subagent-3", ["subagent-2"], 3), withNode(two, "subagent-3", ["subagent-2"], 2)]).toEqual([
      chain,
      { code: "CHAIN_TOO_LONG", length: 3 },
    ]);
  });
});

describe("a candidate", () => {
  test("that depends on what does not exist is refused by name", () => {
    expect(withNode(chain, "subagent-4", ["subagent-9"], 3)).toEqual({
      code: "UNKNOWN_DEPENDENCY",
      unknown: "subagent-9",
    });
  });

  test("leaves the graph that it was tried on as it was", () => {
    withNode(chain, "subagent-4", ["subagent-1"], 3);
    expect(chain.size).toBe(3);
  });
});

test("two nodes that depend on each other are a cycle", () => {
  expect(hasCycle(graph({ "subagent-1": ["subagent-2"], "subagent-2": ["subagent-1"] }))).toBe(true);
});

test("dependents are found through others, in order of creation", () => {
  expect(dependentsOf(chain, "subagent-1")).toEqual(["subagent-2", "subagent-3"]);
});
