import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, test } from "vitest";

import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { RunGraph } from "./RunGraph.tsx";
import { largeRun, storyNow, storyRun, withSubagent } from "./fixtures.ts";

/** As much of a document as React needs to put elements into it. Nothing is laid out. */
class StageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  readonly style = { setProperty: (): void => undefined };
  readonly dataset = {};
  readonly clientWidth = 900;
  readonly clientHeight = 460;
  readonly children: StageNode[] = [];
  readonly attributes = new Map<string, string>();
  parentNode: StageNode | null = null;
  textContent = "";

  constructor(name: string, type = 1) {
    this.nodeName = this.tagName = name.toUpperCase();
    this.nodeType = type;
  }
  get ownerDocument(): unknown {
    return stage;
  }
  appendChild(child: StageNode): StageNode {
    return this.insertBefore(child, null);
  }
  insertBefore(child: StageNode, before: StageNode | null): StageNode {
    child.parentNode?.removeChild(child);
    this.children.splice(before === null ? this.children.length : this.children.indexOf(before), 0, child);
    child.parentNode = this;
    return child;
  }
  removeChild(child: StageNode): void {
    this.children.splice(this.children.indexOf(child), 1);
    child.parentNode = null;
  }
  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name.toLowerCase(), String(value));
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name.toLowerCase());
  }
  addEventListener(): void {}
  removeEventListener(): void {}
  find(isWanted: (node: StageNode) => boolean): StageNode[] {
    return [...(isWanted(this) ? [this] : []), ...this.children.flatMap((child) => child.find(isWanted))];
  }
}

const stage = Object.assign(new StageNode("#document", 9), {
  createElement: (name: string) => new StageNode(name),
  createElementNS: (_: string, name: string) => new StageNode(name),
  createTextNode: (text: string) => Object.assign(new StageNode("#text", 3), { nodeValue: text }),
  activeElement: null,
});

class SilentObserver {
  observe(): void {}
  disconnect(): void {}
}

beforeAll(() => {
  Object.assign(stage, { documentElement: new StageNode("html"), defaultView: globalThis });
  Object.assign(globalThis, {
    window: globalThis,
    document: stage,
    HTMLElement: StageNode,
    HTMLIFrameElement: SilentObserver,
    ResizeObserver: SilentObserver,
    IS_REACT_ACT_ENVIRONMENT: true,
  });
});

interface Mounted {
  readonly container: StageNode;
  readonly show: (snapshot: RunSnapshot, selected?: SubagentSnapshot["id"] | null) => Promise<void>;
}

const ignore = (): void => undefined;

function mount(): Mounted {
  const container = new StageNode("div");
  const root = createRoot(container as unknown as Element);
  const show: Mounted["show"] = async (snapshot, selected = null) => {
    await act(async () =>
      root.render(createElement(RunGraph, { snapshot, selected, onSelect: ignore, moment: storyNow })),
    );
  };
  return { container, show };
}

/** The snapshot with subagents that count how often a card reads their titles: once each time it is drawn. */
function counting(snapshot: RunSnapshot): { readonly snapshot: RunSnapshot; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const subagents = snapshot.subagents.map((subagent) =>
    Object.defineProperty({ ...subagent }, "title", {
      enumerable: true,
      get: () => {
        counts.set(subagent.id, (counts.get(subagent.id) ?? 0) + 1);
        return subagent.title;
      },
    }),
  );
  return { snapshot: { ...snapshot, subagents }, counts };
}

test("[G17] a change of one subagent draws its card again and no other", async () => {
  const { snapshot, counts } = counting(largeRun(60));
  const { show } = mount();
  await show(snapshot);
  const drawn = counts.size;
  counts.clear();
  await show(withSubagent(snapshot, "subagent-58", { activity: "readFile src/ledger.ts" }));
  // The changed one is a copy without a counter.
  expect({ drawn, again: [...counts.keys()].filter((id) => id !== "subagent-58") }).toEqual({ drawn: 60, again: [] });
});

test("selecting draws the card that was selected and the one that is", async () => {
  const { snapshot, counts } = counting(storyRun);
  const { show } = mount();
  await show(snapshot, "subagent-6");
  counts.clear();
  await show(snapshot, "subagent-7");
  expect([...counts.keys()].toSorted()).toEqual(["subagent-6", "subagent-7"]);
});

test("one card can be reached by Tab, and one is selected", async () => {
  const { container, show } = mount();
  await show(storyRun, "subagent-7");
  const options = container.find(({ attributes }) => attributes.get("role") === "option");
  const having = (name: string, value: string) =>
    options
      .filter(({ attributes }) => attributes.get(name) === value)
      .map(({ attributes }) => attributes.get("data-agent"));
  expect({
    count: options.length,
    reached: having("tabindex", "0"),
    selected: having("aria-selected", "true"),
  }).toEqual({
    count: 10,
    reached: ["subagent-7"],
    selected: ["subagent-7"],
  });
});

test("[G17] from 200 subagents on, what has finished is put together by wave", async () => {
  const { container, show } = mount();
  await show(largeRun(200));
  const options = container.find(({ attributes }) => attributes.get("role") === "option");
  const groups = options.filter(({ attributes }) => attributes.get("data-agent")?.startsWith("wave-"));
  expect({ groups: groups.length, cards: options.length - groups.length < 30 }).toEqual({ groups: 7, cards: true });
});
