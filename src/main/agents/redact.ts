// Takes secrets out of text before a model or the journal sees it, and cuts output to size. Text without secrets comes out as it went in.

/** One shape of secret. `isSecret` has the last word. */
interface Rule {
  readonly kind: string;
  readonly pattern: RegExp;
  /** The shape alone is a secret's: nothing that is written in good faith looks like it. */
  readonly isSure?: true;
  readonly isSecret?: (secret: string, name: string) => boolean;
}

const mark = (kind: string) => `[redacted:${kind}]`;

/** Names that hold a secret, as the end of a longer name: `DB_PASSWORD`, `client-secret`, `apiKey`; not `tokenType`, not `max_tokens`. */
const secretName = String.raw`[\w.-]*?(?:passwords?|passwd|passphrase|pwd|secret|token|api[_-]?key|secret[_-]?(?:access[_-]?)?key|private[_-]?key|access[_-]?key|auth[_-]?key|encryption[_-]?key|credentials?)`;

/** Words that stand after such a name in types, schemas and prose. */
const ordinaryWords = new Set(
  "string str text number int integer boolean bool true false null none nil undefined any unknown object void bytes required optional password secret token hidden bearer".split(
    " ",
  ),
);

/** Whether a value is written out here: not a reference to somewhere else, a word of the language, or an earlier mark. */
function isLiteral(value: string, name: string): boolean {
  if (/^(?:\[redacted:|\$|<|\{\{|%[({A-Za-z]|process\.|env[.:]|os\.|\*+$|x{3,}$|\.{3})/iu.test(value)) return false;
  if (isWorkingFolder(value, name)) return false;
  const word = value.toLowerCase();
  return !ordinaryWords.has(word) && word !== name.toLowerCase();
}

/** What a shell keeps under the name that others use for a password: `PWD=/home/ada/pay`. */
function isWorkingFolder(value: string, name: string): boolean {
  return /^(?:old)?pwd$/iu.test(name) && /^(?:[/~]|\.{1,2}(?:\/|$)|[A-Za-z]:[\\/])/u.test(value);
}

/** A bare value: a plain word is rather a type or a variable. */
function isBareSecret(value: string, name: string): boolean {
  return value.length >= 6 && /\d/u.test(value) && isLiteral(value, name);
}

/** A model key has a long run of mixed characters; `sk-` also begins ordinary words. */
function hasKeyRun(key: string): boolean {
  return key
    .split("-")
    .some((run) => run.length >= 16 && /\d/u.test(run) && /[A-Za-z]/u.test(run) && new Set(run).size >= 8);
}

/** Each pattern names its secret `secret`, and `name` where a name decides. Order: the surest first. */
const rules: readonly Rule[] = [
  {
    kind: "private-key",
    isSure: true,
    pattern:
      /(?<secret>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=:,.\\"'()-]{16,20000}?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)/dgu,
  },
  {
    kind: "private-key",
    isSure: true,
    pattern:
      /(?<secret>-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|\d+\t)*[A-Za-z0-9+/=]{16}[\sA-Za-z0-9+/=\\]*)/dgu,
  },
  { kind: "aws", isSure: true, pattern: /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Za-z0-9])/dgu },
  {
    kind: "github",
    isSure: true,
    pattern: /(?<![A-Za-z0-9_])(?<secret>gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/dgu,
  },
  { kind: "gitlab", isSure: true, pattern: /(?<![A-Za-z0-9_])(?<secret>glpat-[A-Za-z0-9_-]{20,})/dgu },
  {
    kind: "slack",
    isSure: true,
    pattern: /(?<![A-Za-z0-9])(?<secret>xox[abeoprs]-(?=[A-Za-z-]*\d)[A-Za-z0-9-]{10,})/dgu,
  },
  {
    kind: "slack",
    isSure: true,
    pattern: /(?<secret>https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,})/dgu,
  },
  { kind: "google", isSure: true, pattern: /(?<![A-Za-z0-9])(?<secret>AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/dgu },
  { kind: "stripe", isSure: true, pattern: /(?<![A-Za-z0-9])(?<secret>[rs]k_(?:live|test)_[A-Za-z0-9]{16,})/dgu },
  { kind: "npm", isSure: true, pattern: /(?<![A-Za-z0-9])(?<secret>npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])/dgu },
  {
    kind: "model-key",
    isSure: true,
    pattern: /(?<![A-Za-z0-9_-])(?<secret>sk-[A-Za-z0-9_-]{20,})/dgu,
    isSecret: hasKeyRun,
  },
  {
    kind: "jwt",
    isSure: true,
    pattern: /(?<![A-Za-z0-9_-])(?<secret>eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})/dgu,
  },
  {
    kind: "bearer",
    pattern: /\bBearer\s+(?<secret>[A-Za-z0-9._~+/=-]{20,})/dgiu,
    isSecret: (value) => /\d/u.test(value),
  },
  {
    kind: "password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`[]{0,100}:(?<secret>[^\s:@/"'`[]{1,200})@/dgiu,
    isSecret: (value) => isLiteral(value, ""),
  },
  // "password": "x", password='x', token = "x", \"token\": \"x\" inside a JSON string
  {
    kind: "assigned",
    pattern: new RegExp(
      String.raw`(?<![\w.-])(?<name>${secretName})(?:\\?["'])?\s*(?::=|=>|:|=(?![=>]))\s*(?<quote>\\?["'])(?<secret>(?:(?!\k<quote>)[^\s\\]|\\(?!["'])[^\s]){1,500})\k<quote>`,
      "dgiu",
    ),
    isSecret: isLiteral,
  },
  // NAME_TOKEN=x as in an env file: the case tells it from code
  {
    kind: "assigned",
    pattern:
      /(?<![\w.-])(?<name>[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|SECRET_KEY|PRIVATE_KEY|ACCESS_KEY))=(?<secret>[^\s"'`;,()[\]{}]{1,500})/dgu,
    isSecret: isLiteral,
  },
  // password: x1y2z3 and password = x1y2z3 on a line of their own (YAML, ini)
  {
    kind: "assigned",
    pattern: new RegExp(
      String.raw`^(?: *\d+\t)?[ \t]*(?:- )?(?<name>${secretName})[ \t]*[:=][ \t]*(?<secret>[^\s"'${"`"};,()\[\]{}<>|&.]{6,500})[ \t]*$`,
      "dgimu",
    ),
    isSecret: isBareSecret,
  },
];

/** Which of `password secret token api-key` the name of an assignment speaks of. */
function kindOfName(name: string): string {
  if (/pass|pwd/iu.test(name)) return "password";
  if (/token/iu.test(name)) return "token";
  return /key/iu.test(name) && !/secret/iu.test(name) ? "api-key" : "secret";
}

function applyRule(text: string, rule: Rule): { readonly text: string; readonly count: number } {
  let count = 0;
  let from = 0;
  const parts: string[] = [];
  for (const match of text.matchAll(rule.pattern)) {
    const secret = match.groups?.["secret"] ?? "";
    const name = match.groups?.["name"] ?? "";
    if (secret === "" || (rule.isSecret !== undefined && !rule.isSecret(secret, name))) continue;
    const at = match.indices?.groups?.["secret"]?.[0] ?? match.index;
    parts.push(text.slice(from, at), mark(rule.kind === "assigned" ? kindOfName(name) : rule.kind));
    from = at + secret.length;
    count += 1;
  }
  return { text: parts.join("") + text.slice(from), count };
}

/**
 * The text with each secret replaced by `[redacted:kind]`, and how many there were. Private keys, cloud, forge, chat and model keys, and
 * what is assigned to password, secret, token or key in JSON, YAML, ini and env files. `redact(redact(x).text)` changes nothing.
 */
export function redact(text: string): { readonly text: string; readonly count: number } {
  return applyAll(text, rules);
}

/** The same for text that is not an output but somebody's own words or arguments: only what is a secret by its shape alone, so that code with a made-up password in it stays as it was written. */
export function redactSure(text: string): string {
  return applyAll(text, sureRules).text;
}

/** Whether a text holds the mark of a secret that was taken out: what it stood for is not known here any more. */
export function holdsMark(text: string): boolean {
  return /\[redacted:[a-z-]+\]/.test(text);
}

const sureRules = rules.filter((rule) => rule.isSure === true);

function applyAll(text: string, those: readonly Rule[]): { readonly text: string; readonly count: number } {
  let current = text;
  let count = 0;
  // A mark may uncover the edge of another secret: until nothing is left, and each pass removes at least one.
  for (;;) {
    let found = 0;
    for (const rule of those) {
      const passed = applyRule(current, rule);
      current = passed.text;
      found += passed.count;
    }
    count += found;
    if (found === 0) return { text: current, count };
  }
}

/** The longest start (or end) of the bytes within `maxBytes` that splits no character. */
function sliceBytes(bytes: Buffer, maxBytes: number, side: "head" | "tail"): Buffer {
  const isContinuation = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  if (side === "head") {
    let end = Math.max(0, maxBytes);
    while (end > 0 && isContinuation(end)) end -= 1;
    return bytes.subarray(0, end);
  }
  let start = bytes.length - Math.max(0, maxBytes);
  while (start < bytes.length && isContinuation(start)) start += 1;
  return bytes.subarray(start);
}

/** The text when it fits in `maxBytes` of UTF-8; else its head and tail with a note between of what was left out, together within `maxBytes`. */
export function capOutput(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return text;
  const note = (left: number) => `\n[… ${left} bytes left out …]\n`;
  const room = maxBytes - Buffer.byteLength(note(bytes.length));
  if (room < 2) return sliceBytes(bytes, maxBytes, "head").toString("utf8");
  const head = sliceBytes(bytes, Math.ceil(room / 2), "head");
  const tail = sliceBytes(bytes, Math.floor(room / 2), "tail");
  return head.toString("utf8") + note(bytes.length - head.length - tail.length) + tail.toString("utf8");
}
