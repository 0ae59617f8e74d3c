import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { PageState } from "./PageState.tsx";

const lost = "The disk could not be read";
const render = (isThere: boolean, failure: { code: "STORE_LOCKED"; message: string } | null) =>
  renderToStaticMarkup(createElement(PageState, { isThere, failure, reading: "The disk is being read", lost }));
const failed = { code: "STORE_LOCKED", message: "Another process has it." } as const;

test("a page that is there keeps its place, and a newer answer that could not be had is told above it", () => {
  expect(render(true, null)).toBe("");
  expect([render(true, failed), render(false, failed)].filter((html) => !html.includes(lost))).toEqual([]);
});
