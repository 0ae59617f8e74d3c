import { expect, test } from "vitest";

import { readDeepLink, writeDeepLink } from "./deepLink.ts";

test("a link leads to the place that it was written from", () => {
  const places = [
    "?run=abcdefghjk",
    "?run=abcdefghjk&at=812",
    "?run=abcdefghjk&at=812&agent=subagent-3&review=subagent-3.2",
    "?view=compare&run=abcdefghjk&beside=bcdefghjkm",
  ];
  expect(places.map((place) => readDeepLink(writeDeepLink(place) ?? ""))).toEqual(places);
});

test("a link looks as people were told", () => {
  expect(writeDeepLink("?view=run&run=abcdefghjk&at=812")).toBe("coppice://run/abcdefghjk?at=812");
  expect(readDeepLink("coppice://inbox")).toBe("?view=inbox");
  expect(writeDeepLink("?view=inbox")).toBeNull();
});

test("whatever else a link says, it leads nowhere", () => {
  const links = [
    "",
    "coppice://",
    "coppice://app/",
    "coppice://run/",
    "coppice://run/../../etc",
    "coppice://run/abcdefghjk/more",
    "coppice://run/ABCDEFGHJK",
    "coppice://run/abcdefghjk?at=0",
    "coppice://run/abcdefghjk?at=1&at=2",
    "coppice://run/abcdefghjk?agent=subagent-0",
    "coppice://run/abcdefghjk?review=%3Cscript%3E",
    "coppice://run/abcdefghjk?then=delete",
    "coppice://run/abcdefghjk#x",
    "coppice://user@run/abcdefghjk",
    "coppice://run:1/abcdefghjk",
    "coppice://compare/abcdefghjk",
    "coppice://compare/abcdefghjk/../x",
    "https://run/abcdefghjk",
    "javascript:alert(1)",
    `coppice://run/abcdefghjk?at=1${" ".repeat(1_000)}`,
  ];
  expect(links.map(readDeepLink)).toEqual(links.map(() => null));
});
