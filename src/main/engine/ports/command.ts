// What the engine asks of the sandbox: run one command line, confined, and say what became of it.

/** What the sandbox on this machine can and cannot do. A missing part turns `--commands allow` into `ask`. */
export interface SandboxReport {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  readonly isWhole: boolean;
  /** One sentence for each part that cannot be had here. */
  readonly missing: readonly string[];
}

export interface CommandSpec {
  /** A shell line, given to `bash -c` (else `sh -c`) as it is. */
  readonly command: string;
  /** The work place, absolute: the only writable folder of the repository that the command sees. */
  readonly root: string;
  /** Working folder, absolute, inside `root`. */
  readonly cwd: string;
  /** A folder of the run's own for HOME, TMPDIR and caches; made when missing. */
  readonly privateHome: string;
  /** Git of the work place: the common dir (read-only but for `gitDir`), the worktree's own folder in it, and where new objects go. Absent for a place without git. */
  readonly git?: { readonly commonDir: string; readonly gitDir: string; readonly objectFolder: string };
  /** Folders that must not be visible, besides HOME and the like: the user's checkout, the data folder. */
  readonly hidden: readonly string[];
  readonly isRootReadOnly?: boolean;
  readonly network: "on" | "off";
  readonly timeoutMs: number;
  /** Marks the processes of one run in their environment, so that recovery finds them: `COPPICE_RUN`. */
  readonly tag: string;
}

/** `exitCode` is data, never an error. `output` is stdout and stderr as they came, head and tail when long, with a note of what was left out; bytes that are not UTF-8 are shown as U+FFFD. */
export interface CommandOutcome {
  readonly outcome: "exited" | "timeout" | "cancelled" | "spawn_failed";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly output: string;
  readonly outputBytes: number;
  /** For `spawn_failed`: what failed, on what, and what to do. */
  readonly message?: string;
}

/** What a login shell exports. `variables`: `null` where it could not be had, and `problem` says why. */
export interface LoginEnvironment {
  readonly variables: Readonly<Record<string, string>> | null;
  readonly problem: string | null;
}

/** What commands take PATH, locale and the like from, and whose PATH that is: the app's own, the login shell's, or what the person has set. */
export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly from: "app" | "login" | "settings";
  /** Why the login shell's could not be had; `null`: it could, or was not asked. */
  readonly problem: string | null;
}

export interface CommandPort {
  report(): Promise<SandboxReport>;
  /** Never rejects. Own process group and session, standard input empty, cleaned environment. At exit, timeout or abort the whole group and every descendant is ended before it resolves. `onOutput` sees text as it comes. */
  run(
    spec: CommandSpec,
    watch: { readonly signal: AbortSignal; onOutput?(text: string): void },
  ): Promise<CommandOutcome>;
  /** Ends processes that an earlier boot left with this tag. Returns how many. */
  sweep(tag: string): Promise<number>;
}
