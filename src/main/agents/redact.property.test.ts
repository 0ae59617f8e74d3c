// What is taken out, what is left alone, and that doing it twice changes nothing. All secrets here are made up.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capOutput, redact } from "./redact.ts";

const pem = (body: string) => `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
const base64 = "MIIEowIBAAKCAQEA0m59l2u9iDnMbrXHfqkOrn2dVQ3vfBJqcDuFUK03d+1PZGbV";
const letters = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbC";
/** Puts a secret together at run time, so that no scanner takes the parts for a real one. */
const spell = (...parts: readonly string[]) => parts.join("");
const github = spell("gh", "p_", letters);
const secrets: readonly (readonly [string, string, string])[] = [
  ["a private key", `x\n${pem(base64)}\ny`, "x\n[redacted:private-key]\ny"],
  ["a private key on one line", JSON.stringify({ key: pem(base64) }), '{"key":"[redacted:private-key]"}'],
  ["a private key that was cut", `-----BEGIN PRIVATE KEY-----\n${base64}\n${base64}`, "[redacted:private-key]"],
  [
    "a private key as readFile numbers it",
    `    1\t-----BEGIN PRIVATE KEY-----\n    2\t${base64}\n    3\t-----END PRIVATE KEY-----\n`,
    "    1\t[redacted:private-key]\n",
  ],
  ["AWS", spell("id AK", "IAIOSFODNN7EXAMPLE."), "id [redacted:aws]."],
  ["GitHub", spell(github, " github", "_pat_11ABCDEFG0", letters), "[redacted:github] [redacted:github]"],
  ["a remote with a GitHub token", `https://${github}@github.com/a/b`, "https://[redacted:github]@github.com/a/b"],
  ["Slack", spell("xo", "xb-123456789012-abcdefABCDEF"), "[redacted:slack]"],
  ["OpenAI", spell("s", "k-proj-", letters, "_", letters), "[redacted:model-key]"],
  ["Anthropic", spell("s", "k-ant-api03-", letters, "-", letters, "-AA"), "[redacted:model-key]"],
  ["Google", spell("AI", "zaSyA1234567890abcdefghijklmnopqrstuv"), "[redacted:google]"],
  ["a JWT", spell("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r"), "[redacted:jwt]"],
  ["JSON", '{"password": "x", "user": "me"}', '{"password": "[redacted:password]", "user": "me"}'],
  ["JSON in JSON", JSON.stringify('{"token": "abc"}'), String.raw`"{\"token\": \"[redacted:token]\"}"`],
  [
    "YAML",
    "db:\n  password: hunter2!\n  client_secret: 'abc'\n",
    "db:\n  password: [redacted:password]\n  client_secret: '[redacted:secret]'\n",
  ],
  [
    "env",
    "export DB_PASSWORD=letmein\nAPI_KEY=abc\nOPENAI_API_KEY='q'",
    "export DB_PASSWORD=[redacted:password]\nAPI_KEY=[redacted:api-key]\nOPENAI_API_KEY='[redacted:api-key]'",
  ],
  [
    "ini",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
    "aws_secret_access_key = [redacted:secret]\n",
  ],
  ["code", 'const apiKey = "abc-123";', 'const apiKey = "[redacted:api-key]";'],
  ["a URL", "postgres://app:s3cr3t@localhost/db", "postgres://app:[redacted:password]@localhost/db"],
];

describe("redact", () => {
  test.each(secrets)("takes out %s", (_, text, expected) => {
    const redacted = redact(text);
    expect(redacted.text).toBe(expected);
    expect(redacted.count).toBe(expected.split("[redacted:").length - 1);
    expect(redact(redacted.text)).toEqual({ text: redacted.text, count: 0 });
  });

  test.each([
    "task-force risk-assessment-of-very-long-things-2024 sk-learn-is-a-long-name-without-digits",
    "interface Login { password: string; token: Token; secret?: string | null }",
    "  password: string\n  token: Token\n  apiKey: undefined\n",
    "const token = await getToken(password);",
    "if (token === 'abc' || secret !== \"x\") return;",
    'password: z.string().min(8), token: process.env.TOKEN, secret = os.environ["SECRET"]',
    "GITHUB_TOKEN=${TOKEN}\nPASSWORD=$1\nAPI_KEY=<your key>\nTOKEN=${{ secrets.TOKEN }}",
    '{"password": "Password is required", "max_tokens": "100", "tokenType": "Bearer"}',
    'text.startsWith("-----BEGIN PRIVATE KEY-----") && text.includes("-----END PRIVATE KEY-----")',
    "https://example.com:8080/a@b http://localhost:3000/x ssh://git@host/x",
    "commit 1f0c2a7b9d4e8f6a5b3c2d1e0f9a8b7c6d5e4f3a",
    'PWD=/srv/pay-42\nOLDPWD=/srv/2 x\nexport PWD="../pay 2"\npwd: ~/work1',
    '"password": "[redacted:password]"',
    "<input type='password' name='token' placeholder='secret'>",
  ])("leaves %j alone", (text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  test("changes nothing the second time, however secrets and plain text meet", () => {
    const piece = fc.oneof(
      fc.constantFrom(...secrets.map(([, text]) => text)),
      fc.constantFrom(
        '"',
        "'",
        "password=",
        "TOKEN=",
        "token: ",
        "://u:",
        "@",
        "\n",
        " ",
        "\\",
        "[redacted:",
        "]",
        ":",
        "sk-",
        "Bearer ",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const once = redact(pieces.join("")).text;
        expect(redact(once)).toEqual({ text: once, count: 0 });
      }),
      { numRuns: 1000 },
    );
  });

  test("leaves text alone that has neither names nor shapes of secrets", () => {
    const safe = fc
      .string({ maxLength: 200 })
      .filter(
        (text) => !/pass|pwd|secret|token|key|cred|sk-|AKIA|ASIA|AIza|gh\w_|eyJ|xox|BEGIN|bearer|:\/\//iu.test(text),
      );
    fc.assert(
      fc.property(safe, (text) => {
        expect(redact(text)).toEqual({ text, count: 0 });
      }),
    );
  });

  test("takes out a secret wherever it stands among words", () => {
    fc.assert(
      fc.property(
        fc.lorem(),
        fc.lorem(),
        fc.constantFrom(...secrets.slice(4, 12)),
        (before, after, [, secret, mark]) => {
          expect(redact(`${before} ${secret} ${after}`).text).toBe(`${before} ${mark} ${after}`);
        },
      ),
    );
  });
});

test("long output of any kind is looked through at once", () => {
  const long = [
    "a",
    "\n",
    "token",
    "password: ",
    '"',
    "-----BEGIN PRIVATE KEY-----\n",
    "sk-",
    "a://b:",
    "eyJ",
    "A=",
    "1\t",
  ].map((text) => text.repeat(200_000 / text.length));
  expect(long.map((text) => redact(text).count)).toEqual(long.map(() => 0));
});

describe("capOutput", () => {
  test("[E28] keeps what fits, and else a head and a tail within the limit with a note between", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 0, max: 300 }),
        (text, maxBytes) => {
          const capped = capOutput(text, maxBytes);
          expect(Buffer.byteLength(capped)).toBeLessThanOrEqual(maxBytes);
          const fits = Buffer.byteLength(text) <= maxBytes;
          const [head = "", tail = ""] = capped.split(/\n\[… \d+ bytes left out …\]\n/u);
          expect(fits ? capped === text : text.startsWith(head) && text.endsWith(tail)).toBe(true);
        },
      ),
    );
  });

  test("says how much was left out", () => {
    expect(capOutput("a".repeat(1000), 100)).toMatch(/^a+\n\[… 9\d\d bytes left out …\]\na+$/u);
  });
});
