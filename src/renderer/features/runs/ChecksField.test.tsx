import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ChecksField } from "./ChecksField.tsx";
import { emptyDraft, type Draft } from "./order.ts";

/** Whether the box of set-up's network is ticked, and what is said beside it. */
function boxOf(network: "on" | "off", setupNetwork: Draft["setupNetwork"]): readonly [isTicked: boolean, note: string] {
  const draft = { ...emptyDraft, setup: "npm ci", setupNetwork };
  const html = renderToStaticMarkup(
    createElement(ChecksField, { draft, page: null, network, onChange: () => undefined }),
  );
  const box = /<input type="checkbox"[^>]*>/.exec(html)?.[0] ?? "";
  return [box.includes("checked"), /\([^)]*\)/.exec(html.slice(html.indexOf(box)))?.[0] ?? ""];
}

test("set-up has the network where all commands have it, unless the person says otherwise", () => {
  const others = "(what agents run does not get it by this)";
  const all = "(as all commands of this run may)";
  expect([boxOf("off", null), boxOf("on", null), boxOf("on", "off"), boxOf("off", "on")]).toEqual([
    [false, others],
    [true, all],
    [false, all],
    [true, others],
  ]);
});
