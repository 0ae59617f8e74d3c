// Which language a file is in, by its name. Pure.

const byEnding: Readonly<Record<string, string>> = {
  bash: "bash",
  c: "c",
  cc: "cpp",
  cjs: "javascript",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  cts: "typescript",
  diff: "diff",
  go: "go",
  gql: "graphql",
  graphql: "graphql",
  h: "c",
  hpp: "cpp",
  htm: "xml",
  html: "xml",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  kts: "kotlin",
  less: "less",
  lua: "lua",
  m: "objectivec",
  md: "markdown",
  mjs: "javascript",
  mk: "makefile",
  mts: "typescript",
  patch: "diff",
  php: "php",
  pl: "perl",
  pm: "perl",
  py: "python",
  pyi: "python",
  r: "r",
  rb: "ruby",
  rs: "rust",
  scss: "scss",
  sh: "bash",
  sql: "sql",
  svg: "xml",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  vb: "vbnet",
  wat: "wasm",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zsh: "bash",
};

const byName: Readonly<Record<string, string>> = {
  ".bashrc": "bash",
  ".gitconfig": "ini",
  Gemfile: "ruby",
  Makefile: "makefile",
  Rakefile: "ruby",
};

/** The highlighter's name of the language; `null` where the file is shown without colours. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined;
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  return named ?? (Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined) ?? null;
}
