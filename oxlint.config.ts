// Lint rules. Who may import whom comes from scripts/boundaries.ts.

import { defineConfig } from "oxlint";

import { rooms } from "./scripts/boundaries.ts";
import { asGlob, importRules } from "./scripts/importRules.ts";

const tests = ["**/*.test.ts", "**/*.test.tsx", "test/**", "e2e/**"];
const pureRooms = rooms.filter((room) => room.pure).flatMap((room) => room.at.map(asGlob));
const clock = "No clock, no chance, no world in here: take it as an argument.";

export default defineConfig({
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  plugins: ["typescript", "unicorn", "oxc", "import", "react", "jsx-a11y", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["out/**", "dist/**", "resources/**", "test/histories/**"],
  rules: {
    // Promises are awaited, returned, or `void`ed in sight.
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/return-await": ["error", "in-try-catch"],
    "typescript/only-throw-error": "error",
    // Types are never lost at a boundary.
    "typescript/no-explicit-any": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/ban-ts-comment": [
      "error",
      { "ts-expect-error": "allow-with-description", minimumDescriptionLength: 10 },
    ],
    // Brands and narrowed JSON need `as`; `any` is caught above.
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-unnecessary-type-arguments": "off",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/consistent-type-imports": "error",
    "typescript/no-import-type-side-effects": "error",
    // The shape of a file.
    "import/no-default-export": "error",
    "import/no-cycle": "error",
    "oxc/no-barrel-file": ["error", { threshold: 0 }],
    "unicorn/prefer-node-protocol": "error",
    "max-lines": ["warn", { max: 300 }],
    "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    // Plain good sense.
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-var": "error",
    "prefer-const": "error",
    "no-param-reassign": "error",
    "no-else-return": "error",
    "react/rules-of-hooks": "off",
    // Ports are plain objects of functions: nothing in them needs `this`. Code points of a text are meant.
    "typescript/unbound-method": "off",
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    // The compiler's noImplicitReturns knows an exhaustive switch; this does not.
    "typescript/consistent-return": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/prefer-add-event-listener": "off",
    // Terminals, git and paths speak in control characters.
    "no-control-regex": "off",
    // A short name may mean the inner thing; a listbox of our own is meant; a `then` may end a chain.
    "no-shadow": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    // `role` is also a word of ours.
    "jsx-a11y/aria-role": ["error", { ignoreNonDOM: true }],
    "promise/always-return": "off",
    // `fc.array` reads better than `array`.
    "import/no-named-as-default-member": "off",
    // Styles and fonts are imported for what they do; a thread's port has no origin.
    "import/no-unassigned-import": "off",
    "unicorn/require-post-message-target-origin": "off",
    // React 19's automatic runtime needs no import.
    "react/react-in-jsx-scope": "off",
  },
  overrides: [
    ...importRules(tests),
    {
      files: pureRooms,
      excludeFiles: tests,
      rules: {
        "no-restricted-globals": [
          "error",
          ...[
            "process",
            "performance",
            "setTimeout",
            "setInterval",
            "setImmediate",
            "queueMicrotask",
            "fetch",
            "crypto",
            "console",
          ].map((name) => ({
            name,
            message: clock,
          })),
        ],
        "no-restricted-properties": [
          "error",
          { object: "Date", property: "now", message: clock },
          { object: "Math", property: "random", message: clock },
        ],
      },
    },
    {
      files: tests,
      rules: { "max-lines-per-function": "off", "import/no-cycle": "off", "typescript/no-unsafe-assignment": "off" },
    },
    { files: ["src/renderer/**"], rules: { "react/rules-of-hooks": "error", "react/exhaustive-deps": "error" } },
    {
      files: ["*.config.ts", "src/main/raw.d.ts", "e2e/fixtures/globalSetup.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
});
