import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { later } from "./Later.tsx";

const Part = ({ name }: { readonly name: string }) => createElement("b", null, name);
const Meanwhile = ({ name }: { readonly name: string }) => createElement("i", null, name);

test("a part is drawn as what stands for it until its script has been read, and at once from then on", async () => {
  const Shown = later(() => Promise.resolve(Part), Meanwhile);
  const before = renderToStaticMarkup(createElement(Shown, { name: "review" }));
  await Shown.read();
  const after = renderToStaticMarkup(createElement(Shown, { name: "review" }));
  expect([before, after]).toEqual(["<i>review</i>", "<b>review</b>"]);
});

test("a script is read once, and asked for again only where it could not be had", async () => {
  let askedCount = 0;
  const load = () => {
    askedCount += 1;
    return askedCount === 1 ? Promise.reject(new Error("The server is away.")) : Promise.resolve(Part);
  };
  const Shown = later(load, Meanwhile);
  await expect(Shown.read()).rejects.toThrow("away");
  await Promise.all([Shown.read(), Shown.read()]);
  expect(askedCount).toBe(2);
});
