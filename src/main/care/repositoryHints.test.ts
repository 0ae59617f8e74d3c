import { describe, expect, it } from "vitest";
import { checksIn, locksIn } from "./repositoryHints.ts";

describe("the names at the top of a repository", () => {
  it("say how its dependencies are installed", () => {
    expect(locksIn(["src", "package-lock.json", "Cargo.lock"])).toEqual([
      { path: "package-lock.json", install: "npm ci" },
      { path: "Cargo.lock", install: "cargo fetch --locked" },
    ]);
  });

  it("say which of its commands are checks, quick ones first", () => {
    const scripts = { build: "tsc", test: "vitest run", lint: "oxlint", typecheck: "tsc --noEmit" };
    expect(checksIn(["package.json", "pnpm-lock.yaml", "go.mod"], JSON.stringify({ scripts }))).toEqual([
      "pnpm run typecheck",
      "pnpm run lint",
      "pnpm test",
      "go test ./...",
    ]);
  });

  it("say nothing where npm's own placeholder stands, or no JSON", () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect([checksIn(["package.json"], JSON.stringify({ scripts })), checksIn(["package.json"], "{")]).toEqual([
      [],
      [],
    ]);
  });
});
