// Text of programs and models, made safe to show: colours are kept as styles, every other control sequence is taken out,
// what would hide or reorder text is shown by its code. Pure; what comes out holds no control characters but tab and line feed.

/** A stretch of text in one style; `classes` name rules of styles/output.css. */
export interface StyledText {
  readonly text: string;
  readonly classes: string;
}

/** The longest control string that is looked for; one that nobody ends takes no more of the text with it. */
const maxControlChars = 4_096;

const escape = "\u001b";
/** OSC, DCS, SOS, PM and APC, with their endings: titles, clipboards, links. Also in their one-byte forms. */
const controlString = new RegExp(
  `(?:${escape}[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]{0,${maxControlChars}}(?:\u0007|${escape}\\\\|\u009c)?`,
  "g",
);
/** CSI: colours, and all that moves the cursor or erases. */
const sequence = new RegExp(`(?:${escape}\\[|\u009b)([0-?]{0,256})[ -/]{0,16}([@-~])`, "g");
/** The shorter escape sequences. */
const shortSequence = new RegExp(`${escape}[ -/]{0,16}[0-~]?`, "g");
/** Control characters other than tab and line feed, and those that are invisible or turn the direction of writing. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/** Without any control sequence; each other invisible character as its code, `␛` and the like for the old ones. */
export function plainText(text: string): string {
  return revealedText(text.replace(controlString, "").replace(sequence, "").replace(shortSequence, ""));
}

/** The same with its colours. Text that asks to be concealed is shown. */
export function styledText(text: string): readonly StyledText[] {
  const parts: StyledText[] = [];
  const source = text.replace(controlString, "");
  let style = plainStyle;
  let from = 0;
  const push = (until: number) => {
    const shown = revealedText(source.slice(from, until).replace(shortSequence, ""));
    if (shown === "") return;
    const classes = classesOf(style);
    const last = parts.at(-1);
    if (last?.classes === classes) parts[parts.length - 1] = { classes, text: last.text + shown };
    else parts.push({ classes, text: shown });
  };
  for (const match of source.matchAll(sequence)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") style = styleAfter(style, match[1] ?? "");
  }
  push(source.length);
  return parts;
}

/** All of it, what is invisible by its code: of what will be run or is named, nothing is taken out. */
export function revealedText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** `colour`: one of the eight, `null` for the text's own. Grounds are not kept: with them text can be made to vanish. */
interface Style {
  readonly colour: number | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

const plainStyle: Style = { colour: null, isBold: false, isDim: false, isItalic: false, isUnderlined: false };

function styleAfter(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => Number(code));
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [length, colour] = extendedColour(codes.slice(at + 1));
      if (code === 38) style = { ...style, colour };
      at += length;
    } else style = styleWith(style, code);
  }
  return style;
}

function styleWith(style: Style, code: number): Style {
  if (code === 0) return plainStyle;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 23) return { ...style, isItalic: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code === 39) return { ...style, colour: null };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 90 };
  return style;
}

/** How many parameters it takes, and the nearest of the eight colours, which each theme can read. */
function extendedColour(rest: readonly number[]): readonly [length: number, colour: number | null] {
  const [kind, first = 0, second = 0, third = 0] = rest;
  if (kind === 2) return [4, nearest(first, second, third)];
  if (kind !== 5) return [0, null];
  if (first < 16) return [2, first % 8];
  if (first >= 232) return [2, null];
  const cube = first - 16;
  return [2, nearest(...([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => step * 51) as Rgb))];
}

type Rgb = [red: number, green: number, blue: number];

/** A bit for each channel that is near the strongest; greys are the text's own colour. */
function nearest(...channels: Rgb): number | null {
  const [most, least] = [Math.max(...channels), Math.min(...channels)];
  if (most - least < 48) return null;
  const limit = (most + least) / 2;
  return channels.reduce((bits, channel, at) => (channel > limit ? bits | (1 << at) : bits), 0);
}

function classesOf({ colour, isBold, isDim, isItalic, isUnderlined }: Style): string {
  return [
    ...(colour === null ? [] : [`ansi-${colour}`]),
    ...(isBold ? ["ansi-bold"] : []),
    ...(isDim ? ["ansi-dim"] : []),
    ...(isItalic ? ["ansi-italic"] : []),
    ...(isUnderlined ? ["ansi-underlined"] : []),
  ].join(" ");
}
