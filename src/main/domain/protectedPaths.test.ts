import { expect, test } from "vitest";
import { isProtectedPath, protectionWith } from "./protectedPaths.ts";

test("what a repository protects comes on top of what is protected everywhere, and takes none of it away", () => {
  const paths = ["infra/prod/main.tf", "Infra/x", "!x", ".github/workflows/ci.yml", "a/.env", "src/a.ts"];
  const protects = protectionWith(["infra/**", "!**/.env", "!.github/**"]);
  expect(paths.filter(protects)).toEqual(["infra/prod/main.tf", "Infra/x", ".github/workflows/ci.yml", "a/.env"]);
  expect(protectionWith([])).toBe(isProtectedPath);
});

test("[B14] a folder whose name holds a line break hides nothing that is protected", () => {
  const paths = ["a\nb/.ENV", "a\nb/yarn.lock", "infra\n/x", "infra/a\nb/x", "a\nb/src.ts"];
  expect(paths.filter(protectionWith(["infra/**"]))).toEqual(["a\nb/.ENV", "a\nb/yarn.lock", "infra/a\nb/x"]);
});
