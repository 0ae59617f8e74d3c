// Actions of the page that the application's menu offers too, by the names under which the page carries them out.
// The menu shows their keys; the page hears them, so that a person's own keys hold in both.

export const menuItems = [
  { action: "run.new", menu: "file", label: "New Run…", keys: "Mod+N" },
  { action: "app.settings", menu: "app", label: "Settings…", keys: "Mod+," },
  { action: "app.palette", menu: "view", label: "Command Palette…", keys: "Mod+K" },
  { action: "app.search", menu: "view", label: "Search Everything…", keys: "Mod+Shift+F" },
  { action: "panel.left", menu: "view", label: "Show or Hide the Runs", keys: "Mod+B" },
  { action: "panel.right", menu: "view", label: "Show or Hide the Inspector", keys: "Mod+." },
  { action: "place.back", menu: "go", label: "Back", keys: "Mod+[" },
  { action: "place.forward", menu: "go", label: "Forward", keys: "Mod+]" },
  { action: "app.inbox", menu: "go", label: "Inbox", keys: "" },
  { action: "app.next", menu: "go", label: "Next That Needs Me", keys: "Mod+J" },
  { action: "app.keys", menu: "help", label: "Keyboard Shortcuts", keys: "Mod+/" },
  { action: "app.welcome", menu: "help", label: "First Steps", keys: "" },
] as const satisfies readonly {
  readonly action: string;
  readonly menu: MenuName;
  readonly label: string;
  /** The usual keys, such as `Mod+N`; empty for none. */
  readonly keys: string;
}[];

export type MenuAction = (typeof menuItems)[number]["action"];
export type MenuName = "app" | "file" | "view" | "go" | "help";
