import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { CommandLine } from "./CommandLine.tsx";
import { Ticked } from "./Ticked.tsx";

test("[G14] a command that is to be allowed hides nothing: what turns its direction or forges its line stands there by its code", () => {
  const command = "echo ok \u202e# fr- mr\u202c \u001b[2K\rls";
  expect(renderToStaticMarkup(createElement(CommandLine, { command }))).toContain(
    "<code>echo ok ⟨U+202E⟩# fr- mr⟨U+202C⟩ ␛[2K␍ls</code>",
  );
});

test("[G14] so it is in what an agent says, within its code and beside it", () => {
  expect(renderToStaticMarkup(createElement(Ticked, { text: "run `a\u200bb` \u2066now" }))).toBe(
    "run <code>a⟨U+200B⟩b</code> ⟨U+2066⟩now",
  );
});
