import { expect, test } from "vitest";

import { hidesHost, judgeLink } from "./linkTarget.ts";

test("[G11] only web addresses can be followed", () => {
  const others = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "file:///etc/passwd",
    "../../../x",
    "//evil.example/p",
    "ms-msdt:/id",
    "vscode://file/x",
    "smb://h/s",
    "data:text/html,x",
    "mailto:a@b.example",
    "https:evil.example",
    "",
  ];
  expect(others.map((address) => judgeLink(address).kind)).toEqual(others.map(() => "plain"));
});

test("a host that looks like another is shown for what it is, and a name before an @ is no host", () => {
  expect(judgeLink("https://gіthub.com/login")).toMatchObject({
    kind: "plain",
    why: "its host is really xn--gthub-n2e.com",
  });
  expect(judgeLink("https://xn--80ak6aa92e.com/")).toMatchObject({ kind: "plain" });
  expect(judgeLink("https://g%D1%96thub.com/")).toMatchObject({ kind: "plain" });
  expect(judgeLink("https://github.com@evil.example/")).toMatchObject({
    kind: "plain",
    why: "its name before the @ hides the host",
  });
});

test("a web address can be followed, and its host stands beside words that do not name it", () => {
  expect(judgeLink("https://docs.example/a?b#c")).toEqual({
    kind: "open",
    url: "https://docs.example/a?b#c",
    host: "docs.example",
  });
  expect(
    ["https://docs.example/a", "docs.example", "docs.example/a", "https://github.com", "the docs"].map((text) =>
      hidesHost(text, "docs.example"),
    ),
  ).toEqual([false, false, false, true, true]);
});
