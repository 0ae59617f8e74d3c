import { expect, it } from "vitest";

import { renderProblem } from "./problem.ts";

it("is one sentence with its code", () => {
  expect(renderProblem({ code: "NO_MODEL", message: "No model is known; pass --model." })).toEqual([
    "NO_MODEL: No model is known; pass --model.",
  ]);
});

it("says its code once and never shows a stack", () => {
  const message =
    "Error: NO_MODEL: none\n    at open (/home/ada/x.js:1:2)\n    at async file:///x.js:3:4\n\ntry qwen3\n";
  expect(renderProblem({ code: "NO_MODEL", message })).toEqual(["NO_MODEL: none", "  try qwen3"]);
});

it("obeys nothing and goes on for no more than 20 lines", () => {
  const message = `bad\u001b]52;c;eA==\u0007\u001b[2J\n${"line\n".repeat(23)}`;
  expect(renderProblem({ code: "UNEXPECTED", message })).toEqual([
    "UNEXPECTED: bad",
    ...Array.from({ length: 20 }, () => "  line"),
    "  and 3 more",
  ]);
});

it("says so when nothing is known", () => {
  expect(renderProblem({ code: "UNEXPECTED", message: "" })).toEqual(["UNEXPECTED: Nothing more is known."]);
});
