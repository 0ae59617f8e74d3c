import type { MenuItemConstructorOptions } from "electron";
import { expect, test } from "vitest";

import { menuItems } from "../../../shared/contract/menu.ts";
import { acceleratorOf, menuTemplate, type MenuParts } from "./menu.ts";

const asked: string[] = [];
const parts: MenuParts = {
  platform: "linux",
  isPackaged: true,
  keys: {},
  act: (action) => void asked.push(action),
  openWindow: () => void asked.push("window"),
  showDataFolder: () => void asked.push("folder"),
};

function entries(changes: Partial<MenuParts> = {}): readonly MenuItemConstructorOptions[] {
  return menuTemplate({ ...parts, ...changes }).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}

test("every action of the list is in the menu once, on every platform, and asks for itself", () => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    const items = entries({ platform }).filter(({ id }) => menuItems.some(({ action }) => action === id));
    expect(items).toHaveLength(menuItems.length);
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(menuItems.map(({ action }) => action)));
    asked.length = 0;
    for (const { click } of items) (click as (() => void) | undefined)?.();
    expect(asked).toEqual(items.map(({ id }) => id));
  }
});

test("keys are shown and left to the page, and a person's own take the place of the usual ones", () => {
  const keysOf = (changes: Partial<MenuParts>) => {
    const item = entries(changes).find(({ id }) => id === "run.new");
    return [item?.accelerator, item?.registerAccelerator];
  };
  expect(keysOf({ keys: { "run.new": "Mod+Shift+R" } })).toEqual(["CommandOrControl+Shift+R", false]);
  expect(keysOf({ keys: { "run.new": "" } })).toEqual([undefined, undefined]);
});

test("developer tools are for those who build Coppice", () => {
  const roles = (isPackaged: boolean) => entries({ isPackaged }).map(({ role }) => role);
  expect(roles(true)).not.toContain("toggleDevTools");
  expect(roles(false)).toContain("toggleDevTools");
});

test("keys that Electron could not show are not shown", () => {
  expect(["Mod+/", "F6", "Mod+Shift+F", "", "Hyper+K", "Mod+ä", "Mod+"].map(acceleratorOf)).toEqual([
    "CommandOrControl+/",
    "F6",
    "CommandOrControl+Shift+F",
    null,
    null,
    null,
    null,
  ]);
});
