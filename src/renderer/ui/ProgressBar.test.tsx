import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ProgressBar } from "./ProgressBar.tsx";

test("a bar is heard as what it is of and how far that is", () => {
  const props = { label: "Writing it…", done: 2, total: 5, words: "2 of 5 events" };
  expect(renderToStaticMarkup(createElement(ProgressBar, props))).toBe(
    '<span class="progress fig"><progress aria-label="Writing it…" aria-valuetext="2 of 5 events" value="2" max="5"></progress>2 of 5 events</span>',
  );
});
