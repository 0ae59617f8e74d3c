import { describe, expect, it } from "vitest";

import { menuItems } from "../../shared/contract/menu.ts";
import { actionEntries, keysOf, sharersOf } from "./actions.ts";
import { ariaKeys, matchKeys, type Press, readKeys, showKeys, takeDown, worksInFields } from "./keys.ts";
import { keyNamesOf } from "./overlays.ts";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const press = (key: string, held: Partial<Press> = {}, code = ""): Press => ({ ...none, key, code, ...held });

describe("keys", () => {
  it.each([
    ["Mod+K", press("k", { ctrlKey: true }), false],
    ["Mod+K", press("k", { metaKey: true }), true],
    ["Mod+Shift+F", press("F", { ctrlKey: true, shiftKey: true }), false],
    ["Mod+/", press("/", { ctrlKey: true, shiftKey: true }), false],
    ["F", press("f"), false],
    ["+", press("+", { shiftKey: true }), false],
    ["Space", press(" "), false],
    ["Alt+N", press("˜", { altKey: true }, "KeyN"), true],
  ])("%s are these", (keys, pressed, isMac) => {
    expect(matchKeys(keys, pressed, isMac)).toEqual({ digit: null });
  });

  it.each([
    ["Mod+K", press("k"), false],
    ["Mod+K", press("k", { ctrlKey: true }), true],
    ["Mod+K", press("k", { ctrlKey: true, shiftKey: true }), false],
    ["Mod+K", press("k", { ctrlKey: true, altKey: true }), false],
    ["F", press("F", { shiftKey: true }), false],
    ["Nothing+K", press("k"), false],
  ])("%s are not those", (keys, pressed, isMac) => {
    expect(matchKeys(keys, pressed, isMac)).toBeNull();
  });

  it("with a digit say which", () => {
    expect(matchKeys("Mod+Digit", press("&", { ctrlKey: true }, "Digit1"), false)).toEqual({ digit: 1 });
    expect(matchKeys("Mod+Digit", press("0", { ctrlKey: true }, "Digit0"), false)).toBeNull();
  });

  it.each([
    [press("k", { ctrlKey: true }), "Mod+K"],
    [press("F", { ctrlKey: true, shiftKey: true }), "Mod+Shift+F"],
    [press("?", { shiftKey: true }), "?"],
    [press("ArrowUp", { ctrlKey: true, altKey: true }), "Mod+Alt+ArrowUp"],
    [press("Control", { ctrlKey: true }), null],
    [press("Tab"), null],
  ])("are taken down so that they match again: %j", (pressed, text) => {
    expect(takeDown(pressed, false)).toBe(text);
    expect(text === null || matchKeys(text, pressed, false) !== null).toBe(true);
  });

  it("are shown as each system shows them", () => {
    expect([showKeys("Mod+Shift+F", false), showKeys("Mod+Shift+F", true), showKeys("Mod+Digit", false)]).toEqual([
      "Ctrl+Shift+F",
      "⇧⌘F",
      "Ctrl+1…9",
    ]);
    expect([ariaKeys("Mod+K", false), ariaKeys("+", false)]).toEqual(["Control+K", "Plus"]);
  });

  it("without a modifier leave fields alone", () => {
    expect(["Mod+K", "F6", "Shift+F6", "F", "Shift+F"].map(worksInFields)).toEqual([true, true, true, false, false]);
  });
});

describe("the actions", () => {
  it("have keys that can be read, and no two the same in one place", () => {
    for (const entry of actionEntries.filter(({ keys }) => keys !== "")) {
      expect(readKeys(entry.keys)).not.toBeNull();
      expect(sharersOf(entry, entry.keys, {})).toEqual([]);
    }
  });

  it("have an id each, and are all that the application's menu offers, under the same keys", () => {
    const usual = new Map(actionEntries.map(({ id, keys }) => [id, keys]));
    expect(usual.size).toBe(actionEntries.length);
    expect(menuItems.filter(({ action, keys }) => usual.get(action) !== keys)).toEqual([]);
  });

  it("take a person's own keys before the usual ones, and say who has them already", () => {
    const [palette, fresh] = ["app.palette", "run.new"].map((id) => actionEntries.find((entry) => entry.id === id));
    if (palette === undefined || fresh === undefined) throw new Error("The actions have other names now.");
    const own = { "app.palette": "Mod+P" };
    expect([keysOf(palette, own), keysOf(fresh, own)]).toEqual(["Mod+P", "Mod+N"]);
    expect(sharersOf(fresh, "Mod+P", own)).toEqual([palette]);
  });
});

it("only keys that a person has changed or taken away have another name than the usual one", () => {
  const names = keyNamesOf({ "review.accept": "Alt+Y", "review.reject": "", "review.split": "S", gone: "Q" });
  expect(["review.accept", "review.reject", "review.split", "review.viewed", "gone"].map(names)).toEqual([
    { shown: "Alt+Y", heard: "Alt+Y" },
    { shown: "", heard: "" },
    null,
    null,
    null,
  ]);
});
