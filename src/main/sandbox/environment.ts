// Owns the environment that a command sees: built from an allow-list, never by removing from the app's own.
// It must never carry a key, a token, a socket's address or an inherited GIT_ variable.

export interface EnvironmentRequest {
  /** The environment to take allowed names from. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly shell: string;
  readonly privateHome: string;
  readonly tag: string;
  /** Unique to one command, so that its end takes no other command of the run with it. */
  readonly mark: string;
  readonly network: "on" | "off";
  readonly git?: { readonly commonDir: string; readonly objectFolder: string };
  /** Where version managers keep their toolchains, since HOME no longer says so. */
  readonly toolchains: Readonly<Record<string, string>>;
}

export const tagVariable = "COPPICE_RUN";
export const markVariable = "COPPICE_COMMAND";

const allowedNames = [
  "LANG",
  "LANGUAGE",
  "TZ",
  "USER",
  "LOGNAME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "JAVA_HOME",
  "GOROOT",
];
const proxyNames = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const fallbackPath = "/usr/local/bin:/usr/bin:/bin";

/** Nothing can answer a prompt, page a log or edit a message: every program is told so in its own words. */
const unattended = {
  TERM: "dumb",
  CI: "1",
  npm_config_yes: "true",
  npm_config_update_notifier: "false",
  DEBIAN_FRONTEND: "noninteractive",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_TERMINAL_PROMPT: "0",
  EDITOR: ":",
  VISUAL: ":",
} as const;

/**
 * Repository configuration that cannot work in the sandbox: a signer or credential helper would prompt, gc would
 * write to a read-only folder, a file monitor would outlive the command, and ownership looks foreign in a user namespace.
 */
const gitSettings = [
  ["safe.directory", "*"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["credential.helper", ""],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["core.fsmonitor", "false"],
] as const;

/** The whole environment of one command. Pure: the same request gives the same variables. */
export function cleanEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { inherited, privateHome } = request;
  return {
    ...pick(inherited, (name) => allowedNames.includes(name) || name.startsWith("LC_")),
    ...(request.network === "on" ? proxiesWithoutPassword(inherited) : {}),
    ...request.toolchains,
    ...unattended,
    PATH: pathFolders(inherited["PATH"]).join(":"),
    SHELL: request.shell,
    HOME: privateHome,
    TMPDIR: `${privateHome}/tmp`,
    XDG_CACHE_HOME: `${privateHome}/.cache`,
    npm_config_cache: `${privateHome}/.npm`,
    ...gitVariables(request.git),
    [tagVariable]: request.tag,
    [markVariable]: request.mark,
  };
}

/** The absolute folders of a PATH, each once; a relative or empty entry would resolve inside the agent's folder. */
export function pathFolders(path: string | undefined): readonly string[] {
  const folders = (path ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return folders.length === 0 ? fallbackPath.split(":") : [...new Set(folders)];
}

function gitVariables(git: EnvironmentRequest["git"]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(gitSettings.length) };
  for (const [index, [key, value]] of gitSettings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  if (git !== undefined) {
    variables["GIT_OBJECT_DIRECTORY"] = git.objectFolder;
    variables["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = quoteAlternate(`${git.commonDir}/objects`);
  }
  return variables;
}

/** Git splits this variable at colons unless an entry is quoted like a C string. */
function quoteAlternate(path: string): string {
  return /[:"]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}

function proxiesWithoutPassword(inherited: EnvironmentRequest["inherited"]): Record<string, string> {
  return pick(inherited, (name, value) => proxyNames.includes(name) && !value.includes("@"));
}

function pick(
  inherited: EnvironmentRequest["inherited"],
  isAllowed: (name: string, value: string) => boolean,
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && isAllowed(name, value)) picked[name] = value;
  }
  return picked;
}
