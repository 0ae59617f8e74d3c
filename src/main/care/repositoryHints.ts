// What the names at the top of a repository say: how its dependencies are installed, and which of its commands are checks.
// Pure; a hint is offered, never followed unasked.

import { z } from "zod";

const installers: readonly (readonly [lock: string, install: string])[] = [
  ["package-lock.json", "npm ci"],
  ["npm-shrinkwrap.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn install --immutable"],
  ["bun.lock", "bun install --frozen-lockfile"],
  ["bun.lockb", "bun install --frozen-lockfile"],
  ["uv.lock", "uv sync --frozen"],
  ["poetry.lock", "poetry install --no-interaction"],
  ["Pipfile.lock", "pipenv sync"],
  ["Gemfile.lock", "bundle install"],
  ["composer.lock", "composer install --no-interaction"],
  ["Cargo.lock", "cargo fetch --locked"],
  ["go.sum", "go mod download"],
];

/** Lock files among the names at the top, each with the command that installs from it. */
export function locksIn(top: readonly string[]): readonly { readonly path: string; readonly install: string }[] {
  return installers.filter(([lock]) => top.includes(lock)).map(([path, install]) => ({ path, install }));
}

const manifest = z.object({ scripts: z.record(z.string(), z.string()) });
/** In the order in which they are worth running: what is quick and says most comes first. */
const checkScripts = ["typecheck", "types", "lint", "check", "test"];

/** Commands of the repository's own that look like checks. `packageJson`: its text, where there is one. */
export function checksIn(top: readonly string[], packageJson: string | null): readonly string[] {
  return [
    ...(packageJson === null ? [] : scriptsIn(top, packageJson)),
    ...(top.includes("Cargo.toml") ? ["cargo test"] : []),
    ...(top.includes("go.mod") ? ["go test ./..."] : []),
    ...(top.includes("pytest.ini") || top.includes("conftest.py") ? ["pytest"] : []),
  ];
}

function scriptsIn(top: readonly string[], packageJson: string): readonly string[] {
  const scripts = readScripts(packageJson);
  const manager = top.includes("pnpm-lock.yaml") ? "pnpm" : top.includes("yarn.lock") ? "yarn" : "npm";
  return checkScripts
    .filter((name) => Object.hasOwn(scripts, name) && !/no test specified/.test(scripts[name] ?? ""))
    .map((name) => (name === "test" ? `${manager} test` : `${manager} run ${name}`));
}

function readScripts(packageJson: string): Readonly<Record<string, string>> {
  try {
    const parsed = manifest.safeParse(JSON.parse(packageJson));
    return parsed.success ? parsed.data.scripts : {};
  } catch {
    // Half-written, or with comments: it hints at nothing.
    return {};
  }
}
