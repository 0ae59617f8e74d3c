// Paths that never land unasked, whatever the approval mode: they decide what runs elsewhere, or hold secrets.

import picomatch from "picomatch";

/** CI configuration, lock files, environment files, hooks, and what is set for runs themselves. */
export const protectedPatterns: readonly string[] = [
  ".github/**",
  ".gitlab-ci.yml",
  ".gitlab/**",
  ".circleci/**",
  ".buildkite/**",
  ".azure-pipelines/**",
  "azure-pipelines.yml",
  "Jenkinsfile",
  ".ci/**",
  "**/.env",
  "**/.env.*",
  ".husky/**",
  ".githooks/**",
  ".coppice/**",
  ".worktreeinclude",
  "**/.gitattributes",
  "**/.gitmodules",
  "**/package-lock.json",
  "**/npm-shrinkwrap.json",
  "**/yarn.lock",
  "**/pnpm-lock.yaml",
  "**/bun.lock",
  "**/bun.lockb",
  "**/Cargo.lock",
  "**/go.sum",
  "**/poetry.lock",
  "**/uv.lock",
  "**/Pipfile.lock",
  "**/Gemfile.lock",
  "**/composer.lock",
];

/** In any letter case, and where a folder's name holds a line break. */
const options = { dot: true, flags: "is" };
const matches = picomatch([...protectedPatterns], options);

/** Whether a relative path is one of them; letter case does not matter. */
export function isProtectedPath(path: string): boolean {
  return matches(path);
}

/** The same where a repository protects more. Its patterns only add to them: `!` and groups are plain characters there. */
export function protectionWith(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return isProtectedPath;
  const matchesOwn = picomatch([...patterns], { ...options, nonegate: true, noextglob: true });
  return (path) => matches(path) || matchesOwn(path);
}
