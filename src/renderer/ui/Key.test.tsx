import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Key } from "./Key.tsx";
import { KeyNames, type NameKeys, useHeardKeys } from "./keyNames.ts";

const own: NameKeys = (action) =>
  action === "changed" ? { shown: "Ctrl+Y", heard: "Control+Y" } : action === "gone" ? { shown: "", heard: "" } : null;

function Button({ of }: { readonly of: string }) {
  return createElement("button", { "aria-keyshortcuts": useHeardKeys(of, "a") }, createElement(Key, { name: "a", of }));
}

test("beside an action stands the key that a person has for it, and none where they have taken it away", () => {
  const buttons = ["usual", "changed", "gone"].map((of) => createElement(Button, { key: of, of }));
  expect(renderToStaticMarkup(createElement(KeyNames, { value: own }, buttons))).toBe(
    '<button aria-keyshortcuts="a"><kbd aria-hidden="true">a</kbd></button>' +
      '<button aria-keyshortcuts="Control+Y"><kbd aria-hidden="true">Ctrl+Y</kbd></button><button></button>',
  );
});
