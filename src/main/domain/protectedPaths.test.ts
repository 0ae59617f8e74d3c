import { expect, test } from "vitest";
import { isProtectedPath, protectionWith } from "./protectedPaths.ts";

test("what a repository protects comes on top of what is protected everywhere, and takes none of it away", () => {
  const paths = ["infra/prod/main.tf", "Infra/x", "!x", ".github/workflows/ci.yml", "a/.env", "src/a.ts"];
  const protects = protectionWith(["infra/**", "!**/.env", "!.github/**"]);
  expect(paths.filter(protects)).toEqual(["infra/prod/main.tf", "Infra/x", ".github/workflows/ci.yml", "a/.env"]);
  expect(protectionWith([])).toBe(isProtectedPath);
});
