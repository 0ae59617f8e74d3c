import { describe, expect, test } from "vitest";

import { findDisagreements, readCases, readMentions, tableOf } from "../scripts/cases.ts";

const list = ["# Cases", "", "| A01 | wrong | right | covered |", "| A02 | wrong | right | open: not built |"].join(
  "\n",
);
const cases = readCases(list);

describe("the list of cases", () => {
  test("is read by id and state, and tests by the ids in their titles", () => {
    expect(cases).toEqual([
      { id: "A01", state: "covered", why: "" },
      { id: "A02", state: "open", why: "not built" },
    ]);
    expect(readMentions("a.test.ts", 'const A01 = 1; // [A02]\ntest("[A01] [B02] holds", () => {\n')).toEqual([
      { id: "A01", file: "a.test.ts", line: 2, title: "holds" },
      { id: "B02", file: "a.test.ts", line: 2, title: "holds" },
    ]);
  });

  test.each([
    ["a covered case has no test", [], ["A01 counts as covered, and no test names it."]],
    ["an open case has one", ["A01", "A02"], ["A02 counts as open, and a test names it."]],
    ["a test names no case", ["A01", "G99"], ["a.test.ts:1 names G99, which docs/cases.md does not list."]],
    ["nothing disagrees", ["A01"], []],
  ])("is wrong where %s", (_, ids, problems) => {
    const mentions = ids.map((id) => ({ id, file: "a.test.ts", line: 1, title: "holds" }));
    expect(findDisagreements(cases, mentions)).toEqual(problems);
  });

  test("is wrong where an id stands twice", () => {
    const twice = [...cases, { id: "A02", state: "open", why: "not built" } as const];
    const held = [{ id: "A01", file: "a.test.ts", line: 1, title: "holds" }];
    expect(findDisagreements(twice, held)).toEqual(["A02 is listed twice in docs/cases.md."]);
  });

  test("is printed with each test under its case", () => {
    const mentions = ["a.test.ts", "b.test.ts"].map((file) => ({ id: "A01", file, line: 1, title: "holds" }));
    expect(tableOf(cases, mentions)).toEqual([
      "A01  a.test.ts  holds",
      "     b.test.ts  holds",
      "A02  not covered: not built",
    ]);
  });
});
