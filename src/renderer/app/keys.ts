// Keys as text, such as `Mod+Shift+F`: read, compared with what was pressed, shown, and taken down. Pure. `Mod` is Command
// on a Mac and Control elsewhere.

/** What of a keyboard event is looked at. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

interface Keys {
  readonly mod: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** As `KeyboardEvent.key` has it, letters in lower case; `Digit`: any of 1 to 9. */
  readonly key: string;
}

const modifiers = ["Mod", "Ctrl", "Alt", "Shift"] as const;

/** `null` for what is no key. */
export function readKeys(text: string): Keys | null {
  // The plus key itself comes last, after the plus that joins.
  const parts = text === "+" ? ["+"] : text.endsWith("++") ? [...text.slice(0, -2).split("+"), "+"] : text.split("+");
  const key = parts.at(-1) ?? "";
  const held = parts.slice(0, -1);
  if (key === "" || held.some((part) => !(modifiers as readonly string[]).includes(part))) return null;
  const [mod, ctrl, alt, shift] = modifiers.map((name) => held.includes(name));
  return { mod: mod === true, ctrl: ctrl === true, alt: alt === true, shift: shift === true, key: plainKey(key) };
}

/** Whether these keys were pressed, and with `Digit` which one. */
export function matchKeys(text: string, press: Press, isMac: boolean): { readonly digit: number | null } | null {
  const keys = readKeys(text);
  if (keys === null) return null;
  const { mod, other } = heldIn(press, isMac);
  if (keys.mod !== mod || (keys.ctrl && isMac) !== other || keys.alt !== press.altKey) return null;
  // A sign may need Shift on one keyboard and not on the next: it is the sign that counts.
  if (!isSign(keys.key) && keys.shift !== press.shiftKey) return null;
  if (keys.key === "Digit") {
    const digit = /^Digit([1-9])$/.exec(press.code)?.[1] ?? /^[1-9]$/.exec(press.key)?.[0];
    return digit === undefined ? null : { digit: Number(digit) };
  }
  return keyOf(press) === keys.key ? { digit: null } : null;
}

/** The text of what was pressed; `null` while it is only modifiers, or a key that belongs to moving the focus. */
export function takeDown(press: Press, isMac: boolean): string | null {
  if (["Control", "Meta", "Alt", "AltGraph", "Shift", "Tab", "Dead", "Unidentified", "Process"].includes(press.key))
    return null;
  const key = keyOf(press);
  const { mod, other } = heldIn(press, isMac);
  const held = [
    ...(mod ? ["Mod"] : []),
    ...(other ? ["Ctrl"] : []),
    ...(press.altKey ? ["Alt"] : []),
    ...(press.shiftKey && !isSign(key) ? ["Shift"] : []),
  ];
  return [...held, key.length === 1 ? key.toUpperCase() : key].join("+");
}

/** The keys as people read them: `⇧⌘F` on a Mac, `Ctrl+Shift+F` elsewhere. */
export function showKeys(text: string, isMac: boolean): string {
  const keys = readKeys(text);
  if (keys === null) return text;
  const name = shownNames[keys.key] ?? (keys.key.length === 1 ? keys.key.toUpperCase() : keys.key);
  if (isMac)
    return `${keys.ctrl ? "⌃" : ""}${keys.alt ? "⌥" : ""}${keys.shift ? "⇧" : ""}${keys.mod ? "⌘" : ""}${name}`;
  return [
    ...(keys.mod || keys.ctrl ? ["Ctrl"] : []),
    ...(keys.alt ? ["Alt"] : []),
    ...(keys.shift ? ["Shift"] : []),
    name,
  ].join("+");
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(text: string, isMac: boolean): string {
  const keys = readKeys(text);
  if (keys === null) return "";
  const held = [
    ...(keys.mod ? [isMac ? "Meta" : "Control"] : []),
    ...(keys.ctrl ? ["Control"] : []),
    ...(keys.alt ? ["Alt"] : []),
    ...(keys.shift ? ["Shift"] : []),
  ];
  return [...held, keys.key === "+" ? "Plus" : keys.key.length === 1 ? keys.key.toUpperCase() : keys.key].join("+");
}

/** Whether the keys do something while one writes into a field: those with a modifier, and the keys of the top row. */
export function worksInFields(text: string): boolean {
  const keys = readKeys(text);
  return keys !== null && (keys.mod || keys.ctrl || keys.alt || /^F\d+$/.test(keys.key));
}

const shownNames: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "Enter",
  Space: "Space",
  Digit: "1…9",
};

function heldIn({ ctrlKey, metaKey }: Press, isMac: boolean): { readonly mod: boolean; readonly other: boolean } {
  return isMac ? { mod: metaKey, other: ctrlKey } : { mod: ctrlKey, other: metaKey };
}

/** With Alt held some systems write another sign; the key that was meant is told by its place then. */
function keyOf({ key, code, altKey }: Press): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return altKey && letter !== undefined ? letter.toLowerCase() : plainKey(key);
}

function plainKey(key: string): string {
  if (key === " ") return "Space";
  return key.length === 1 ? key.toLowerCase() : key;
}

function isSign(key: string): boolean {
  return key.length === 1 && !/[a-z0-9]/.test(key);
}
