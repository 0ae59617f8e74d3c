// The application's menu, as data. Items of the page are asked of the window in front; their keys are shown here and heard
// by the page, so that a person's own keys hold in both.

import type { MenuItemConstructorOptions } from "electron";

import { type MenuAction, type MenuName, menuItems } from "../../../shared/contract/menu.ts";

export interface MenuParts {
  readonly platform: NodeJS.Platform;
  /** For those who build Coppice: reload and the developer tools. */
  readonly isPackaged: boolean;
  /** Keys by action instead of the usual ones; empty for none. */
  readonly keys: Readonly<Record<string, string>>;
  act(action: MenuAction): void;
  openWindow(): void;
  showDataFolder(): void;
}

type Entry = MenuItemConstructorOptions;
const line: Entry = { type: "separator" };

export function menuTemplate(parts: MenuParts): Entry[] {
  const isMac = parts.platform === "darwin";
  return [
    ...(isMac ? [appMenu(parts)] : []),
    fileMenu(parts, isMac),
    editMenu(isMac),
    viewMenu(parts),
    { label: "Go", submenu: pageItems("go", parts) },
    windowMenu(isMac),
    helpMenu(parts, isMac),
  ];
}

function appMenu(parts: MenuParts): Entry {
  return {
    label: "Coppice",
    submenu: [
      { role: "about" },
      line,
      ...pageItems("app", parts),
      line,
      { role: "services" },
      line,
      { role: "hide" },
      { role: "hideOthers" },
      { role: "unhide" },
      line,
      { role: "quit" },
    ],
  };
}

function fileMenu(parts: MenuParts, isMac: boolean): Entry {
  const end: Entry[] = isMac ? [{ role: "close" }] : [...pageItems("app", parts), line, { role: "quit" }];
  const another: Entry = {
    id: "window.new",
    label: "New Window",
    accelerator: "CommandOrControl+Shift+N",
    click: () => parts.openWindow(),
  };
  return { label: "&File", submenu: [...pageItems("file", parts), another, line, ...end] };
}

function editMenu(isMac: boolean): Entry {
  const roles: Entry[] = [
    { role: "undo" },
    { role: "redo" },
    line,
    { role: "cut" },
    { role: "copy" },
    { role: "paste" },
  ];
  return {
    label: "&Edit",
    submenu: [...roles, ...(isMac ? [{ role: "pasteAndMatchStyle" } as const] : []), { role: "selectAll" }],
  };
}

function viewMenu(parts: MenuParts): Entry {
  const builders: Entry[] = parts.isPackaged ? [] : [line, { role: "reload" }, { role: "toggleDevTools" }];
  return {
    label: "&View",
    submenu: [
      ...pageItems("view", parts),
      line,
      { role: "resetZoom" },
      { role: "zoomIn" },
      { role: "zoomOut" },
      line,
      { role: "togglefullscreen" },
      ...builders,
    ],
  };
}

function windowMenu(isMac: boolean): Entry {
  const end: Entry[] = isMac ? [{ role: "zoom" }, line, { role: "front" }] : [{ role: "close" }];
  return { label: "&Window", submenu: [{ role: "minimize" }, ...end] };
}

function helpMenu(parts: MenuParts, isMac: boolean): Entry {
  const about: Entry[] = isMac ? [] : [line, { role: "about" }];
  const folder: Entry = { id: "data.show", label: "Show Data Folder", click: () => parts.showDataFolder() };
  return { label: "&Help", submenu: [...pageItems("help", parts), folder, ...about] };
}

function pageItems(menu: MenuName, parts: MenuParts): Entry[] {
  return menuItems
    .filter((item) => item.menu === menu)
    .map(({ action, label, keys }) => {
      const accelerator = acceleratorOf(parts.keys[action] ?? keys);
      const shown = accelerator === null ? {} : { accelerator, registerAccelerator: false };
      return { id: action, label, ...shown, click: () => parts.act(action) };
    });
}

const named = new Set(["Space", "Tab", "Enter", "Escape", "Up", "Down", "Left", "Right", "Home", "End", "Delete"]);
const modifiers: Readonly<Record<string, string>> = {
  Mod: "CommandOrControl",
  Ctrl: "Control",
  Alt: "Alt",
  Shift: "Shift",
  Meta: "Meta",
};

/** `Mod+Shift+F` as Electron writes it; `null` for none, and for what Electron could not show. */
export function acceleratorOf(keys: string): string | null {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const before = parts.map((part) => modifiers[part]);
  const isKey = /^[A-Z0-9,./;'[\]\\`=-]$/.test(key) || /^F([1-9]|1\d|2[0-4])$/.test(key) || named.has(key);
  return isKey && before.every((part) => part !== undefined) ? [...before, key].join("+") : null;
}
