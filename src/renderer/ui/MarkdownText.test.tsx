import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { MarkdownText } from "./MarkdownText.tsx";

const render = (text: string) => renderToStaticMarkup(createElement(MarkdownText, { text }));

test("[G13] HTML is shown as the text it is, and no element comes of it", () => {
  const html = render("<img src=x onerror=alert(1)>\n\n<script>alert(1)</script> a <b onclick=x>b</b>");
  expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).not.toMatch(/<(?:img|script|b)\b/);
});

test("[G11] a link to anything but the web is words with its address, a link to the web says its host", () => {
  const html = render(
    "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](https://docs.example/x) https://plain.example",
  );
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    "https://docs.example/x",
    "https://plain.example/",
  ]);
  expect(html).toContain("(javascript:alert(1), not a web address)");
  expect(html).toContain("(docs.example)");
});

test("[G13] a picture is its words, so that nothing is fetched", () => {
  const html = render("![all is well](http://beacon.example/?q=secret)");
  expect(html).not.toContain("<img");
  expect(html).toContain("[picture: all is well http://beacon.example/?q=secret]");
});

test("lists, tables, tasks and code come out as such, headings as words of the text", () => {
  const html = render("# Head\n\n- [x] one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```");
  expect(html.match(/<(?:ul|li|table|td|pre|h1)\b/g)).toEqual(["<ul", "<li", "<li", "<table", "<td", "<td", "<pre"]);
});
