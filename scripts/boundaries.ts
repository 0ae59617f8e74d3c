// Who may import whom, as data. Read by the linter (oxlint.config.ts), by the architecture test, and by people.
// Holds no logic beyond finding a file's room. A new folder under src/ needs a line here before it may exist.

export interface Room {
  readonly name: string;
  /** From the project's root: `a/` a folder and all below, `a/*` the files directly in it, `a/b.ts` one file. The longest match wins. */
  readonly at: readonly string[];
  /** Other rooms it may import. Its own files always. */
  readonly imports: readonly string[];
  /** Packages it may import; `any` leaves that to `confinedPackages`. */
  readonly packages: "any" | readonly string[];
  /** Whether it may import `node:` modules. */
  readonly node: boolean;
  /** No clock, no chance, no timers, no process: the same input gives the same output. */
  readonly pure?: true;
  /** Its direct subfolders never import each other; a file directly in it belongs to all of them. */
  readonly isolated?: true;
  /** Where to go instead, for whoever runs into the rule. */
  readonly instead: string;
}

const shared = ["contract", "lib"];
const core = [...shared, "domain", "ports"];
const adapters = ["store", "agents", "models", "git", "sandbox"];
const edge = [...core, "logging", "settings", "workbench"];

const adapter = (name: string): Room => ({
  name,
  at: [`src/main/${name}/`],
  imports: [...core, "logging"],
  packages: "any",
  node: true,
  instead:
    "Adapters do not know each other: ask through a port in src/main/engine/ports, and let workbench.ts pass in who answers it.",
});

export const rooms: readonly Room[] = [
  {
    name: "lib",
    at: ["src/shared/lib/"],
    imports: [],
    packages: [],
    node: false,
    pure: true,
    instead: "shared/lib is the ground floor: it takes what it needs as an argument.",
  },
  {
    name: "contract",
    at: ["src/shared/contract/"],
    imports: ["lib"],
    packages: ["zod"],
    node: false,
    pure: true,
    instead:
      "The contract is all that both processes know: move the type into src/shared/contract, or the code out of it.",
  },
  {
    name: "domain",
    at: ["src/main/domain/"],
    imports: shared,
    // Matching a path against a claim is pure, and globs are not what we write by hand.
    packages: ["picomatch"],
    node: false,
    pure: true,
    instead: "The domain only decides: take the time, the id or the answer as an argument, and act in src/main/engine.",
  },
  {
    name: "ports",
    at: ["src/main/engine/ports/"],
    imports: [...shared, "domain"],
    packages: [],
    node: false,
    instead:
      "A port says what the engine needs in words of the domain and the contract; who answers it lives in an adapter.",
  },
  {
    name: "engine",
    at: ["src/main/engine/"],
    imports: core,
    packages: "any",
    node: true,
    instead:
      "The engine knows only ports: add one in src/main/engine/ports, and pass in who answers it in workbench.ts.",
  },
  ...adapters.map(adapter),
  {
    name: "logging",
    at: ["src/main/logging/"],
    imports: shared,
    packages: "any",
    node: true,
    instead: "Everyone logs, so logging knows no one: pass in what it should write.",
  },
  {
    name: "settings",
    at: ["src/main/settings/"],
    imports: [...core, "logging"],
    packages: "any",
    node: true,
    instead: "Settings are read, not acted on: let workbench.ts hand them to who needs them.",
  },
  {
    name: "workbench",
    at: ["src/main/*", "src/main/runs/", "src/main/pages/", "src/main/care/"],
    imports: [...core, "engine", ...adapters, "logging", "settings"],
    packages: "any",
    node: true,
    instead: "The workbench is the whole application without a shell: shells and entries call it, never the other way.",
  },
  {
    name: "shells",
    at: ["src/main/shells/"],
    imports: edge,
    packages: "any",
    node: true,
    isolated: true,
    instead:
      "A shell carries messages between a screen and the workbench: offer it on createWorkbench in src/main/workbench.ts.",
  },
  {
    name: "entries",
    at: ["src/main/index.ts", "src/main/serve.ts", "src/main/cli.ts"],
    imports: [...edge, "shells"],
    packages: "any",
    node: true,
    instead: "An entry composes a workbench and a shell: offer it on createWorkbench in src/main/workbench.ts.",
  },
  {
    name: "preload",
    at: ["src/preload/"],
    imports: shared,
    packages: ["electron"],
    node: false,
    instead: "The bridge only passes on: put what both sides need into src/shared/contract.",
  },
  {
    name: "app",
    at: ["src/renderer/*", "src/renderer/app/"],
    imports: [...shared, "client", "features", "ui", "styles"],
    packages: "any",
    node: false,
    instead: "The renderer only draws: ask over the bridge, and put what both sides need into src/shared/contract.",
  },
  {
    name: "client",
    at: ["src/renderer/client/"],
    imports: shared,
    packages: "any",
    node: false,
    instead:
      "The client talks to the bridge and keeps snapshots; what it should know comes through src/shared/contract.",
  },
  {
    name: "features",
    at: ["src/renderer/features/"],
    imports: [...shared, "client", "ui", "styles"],
    packages: "any",
    node: false,
    isolated: true,
    instead:
      "Features meet in src/renderer/app: lift what they share into src/renderer/ui (looks) or src/renderer/client (facts).",
  },
  {
    name: "ui",
    at: ["src/renderer/ui/"],
    imports: ["lib", "styles"],
    packages: "any",
    node: false,
    instead: "ui knows nothing of runs: take it as a prop, or move the component into its feature.",
  },
  {
    name: "styles",
    at: ["src/renderer/styles/"],
    imports: [],
    packages: "any",
    node: false,
    instead: "Styles import only styles.",
  },
];

export interface Confinement {
  /** Files and folders that may import the package. */
  readonly only: readonly string[];
  readonly instead: string;
}

/** Packages behind one door each, so that what they cannot do is written down once. */
export const confinedPackages: Readonly<Record<string, Confinement>> = {
  electron: {
    only: ["src/main/index.ts", "src/main/shells/electron/", "src/preload/"],
    instead: "Electron is an adapter at the edge: go through src/main/shells/electron.",
  },
  openai: {
    only: ["src/main/models/openai.ts"],
    instead: "The model port in src/main/engine/ports is the way to a model; src/main/models/openai.ts answers it.",
  },
  "better-sqlite3": {
    only: ["src/main/store/openDatabase.ts"],
    instead: "Open the database with openDatabase in src/main/store/openDatabase.ts.",
  },
};

/** The files of the product that may start processes (`node:child_process`): each for one kind, said in its head. */
export const processDoors: Confinement = {
  only: [
    "src/main/git/forkServer.ts",
    "src/main/sandbox/",
    "src/main/store/processIdentity.ts",
    "src/main/store/fixtureChild.ts",
    "src/main/care/foldElsewhere.ts",
    "src/main/runs/sample.ts",
    "src/main/shells/browser/openWindow.ts",
    "src/main/shells/electron/editors.ts",
    "src/main/shells/electron/loginShell.ts",
  ],
  instead: "src/main/git/git.ts is the one door to git; other commands go through src/main/sandbox.",
};

/** The room that a file stands in: the one whose `at` matches most of its path. */
export function findRoom(path: string): Room | undefined {
  const matches = rooms.flatMap((room) => room.at.filter((at) => isAt(path, at)).map((at) => ({ room, at })));
  return matches.toSorted((a, b) => b.at.length - a.at.length)[0]?.room;
}

/** Whether `path` is what `at` names (see `Room.at`). */
export function isAt(path: string, at: string): boolean {
  if (at.endsWith("/")) return path.startsWith(at);
  if (at.endsWith("/*")) return path.startsWith(at.slice(0, -1)) && !path.slice(at.length - 1).includes("/");
  return path === at;
}
