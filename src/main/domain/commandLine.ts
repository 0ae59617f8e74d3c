// Owns the reading of a shell line for approval rules: words that a shell would pass on unchanged, or "needs a shell".
// It must never guess: whatever a shell could expand, redirect, chain or interpret is a shell line.

/** `argv` = the line is exactly these words. `shell` = only a rule for this exact line may match it. */
export type ParsedCommand =
  | { readonly kind: "argv"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "shell"; readonly line: string };

/** Unquoted, these make a shell do more than split words, wherever they stand. */
const metacharacters = new Set("|&;<>()$`*?[]{}");
/** These do so only as the first character of a word. */
const wordStarters = new Set("#~!%");
const reservedWords = new Set(
  "if then elif else fi case esac for select while until do done in function time coproc".split(" "),
);
/** First words that run their arguments as code, or change what later words mean. */
const interpretingBuiltins = new Set(". source eval exec command builtin alias trap".split(" "));

/**
 * Splits a shell line into words when it has no shell metacharacters; otherwise says that it needs a shell.
 * Matching prefixes of the text would let `git log && rm -rf ~` pass as `git log`; whole words do not.
 */
export function parseCommandLine(line: string): ParsedCommand {
  const words = splitWords(line);
  const [first, ...rest] = words ?? [];
  if (first === undefined || !isPlainCommandName(first)) return { kind: "shell", line };
  return { kind: "argv", argv: [first, ...rest] };
}

function isPlainCommandName(word: string): boolean {
  if (word === "" || reservedWords.has(word) || interpretingBuiltins.has(word)) return false;
  // `NAME=value command` sets a variable for the command; `NAME+=value` and `NAME[0]=value` are its kin.
  return !word.includes("=");
}

/** The words of a plain line, or `null` when a shell would do more than split it. */
function splitWords(line: string): readonly string[] | null {
  // A newline chains commands, and a carriage return shows people another line than the one that runs.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return null;
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (isBlank(line[at])) {
      at += 1;
      continue;
    }
    const word = readWord(line, at);
    if (word === null) return null;
    words.push(word.text);
    at = word.end;
  }
  return words;
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

function readWord(line: string, start: number): Piece | null {
  if (wordStarters.has(line[start] ?? "")) return null;
  let text = "";
  let at = start;
  while (at < line.length && !isBlank(line[at])) {
    const piece = readPiece(line, at);
    if (piece === null) return null;
    text += piece.text;
    at = piece.end;
  }
  return { text, end: at };
}

/** One quoted part, one escaped character, or one plain character. */
function readPiece(line: string, at: number): Piece | null {
  const char = line.charAt(at);
  if (metacharacters.has(char)) return null;
  if (char === "'") {
    const end = line.indexOf("'", at + 1);
    return end === -1 ? null : { text: line.slice(at + 1, end), end: end + 1 };
  }
  if (char === '"') return readDoubleQuoted(line, at + 1);
  if (char === "\\") return at + 1 < line.length ? { text: line.charAt(at + 1), end: at + 2 } : null;
  // A tilde after `=` or `:` is expanded in assignments, and `export`, `declare` and the like take assignments as words.
  if (char === "~" && (line[at - 1] === "=" || line[at - 1] === ":")) return null;
  return { text: char, end: at + 1 };
}

function readDoubleQuoted(line: string, start: number): Piece | null {
  let text = "";
  let at = start;
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === '"') return { text, end: at + 1 };
    if (char === "$" || char === "`") return null;
    const next = line.charAt(at + 1);
    const isEscape = char === "\\" && next !== "" && '"\\$`'.includes(next);
    text += isEscape ? next : char;
    at += isEscape ? 2 : 1;
  }
  return null;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}
