// Owns the translation of a sandbox layout into bubblewrap's arguments. Pure: it looks at no disk and starts nothing.
// A path that is not named here is visible read-only; what must not be seen has to be in the layout.

/** What stands at one absolute, resolved path inside the sandbox. */
export type Mount =
  /** An empty folder in place of the real one: `isWritable` = scratch space in memory that ends with the command. */
  | { readonly kind: "empty"; readonly path: string; readonly isWritable: boolean }
  /** An empty, unreadable stand-in for a file or socket. */
  | { readonly kind: "masked"; readonly path: string }
  /** The real thing; `source` when it is shown under another name than its own. */
  | { readonly kind: "readOnly"; readonly path: string; readonly source?: string }
  | { readonly kind: "writable"; readonly path: string };

export interface Layout {
  readonly mounts: readonly Mount[];
  /** Working folder, as it is called inside. */
  readonly cwd: string;
  readonly network: "on" | "off";
}

/** File descriptor on which bubblewrap reports in JSON; `exit-code` appears only when the command itself has run. */
export const statusFd = 3;

/** Scratch space lives in memory, so it is bounded. */
const scratchBytes = 1024 * 1024 * 1024;

const isolation = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--new-session",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
] as const;

const systemView = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"] as const;

/** Arguments for `bwrap`, command included. Outer mounts come before inner ones, whatever order the layout has them in. */
export function bubblewrapArguments(layout: Layout, argv: readonly string[]): string[] {
  const mounts = inMountOrder(layout.mounts);
  return [
    ...isolation,
    // Its own network namespace also cuts off abstract unix sockets.
    ...(layout.network === "off" ? ["--unshare-net"] : []),
    ...systemView,
    ...mounts.flatMap(mountArguments),
    // Last, since making the mount points inside needs the folder writable.
    ...mounts.flatMap((mount) => (mount.kind === "empty" && !mount.isWritable ? ["--remount-ro", mount.path] : [])),
    "--chdir",
    layout.cwd,
    "--json-status-fd",
    String(statusFd),
    "--",
    ...argv,
  ];
}

/** Whether the real thing at `path` can be reached inside: the innermost mount above it decides. */
export function isVisible(path: string, mounts: readonly Mount[]): boolean {
  const covering = inMountOrder(mounts).filter((mount) => isWithin(path, mount.path));
  const innermost = covering.at(-1);
  return innermost === undefined || innermost.kind === "readOnly" || innermost.kind === "writable";
}

/** Whether `path` is `folder` or lies below it. Both absolute and resolved. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "empty":
      return ["--size", String(scratchBytes), "--tmpfs", mount.path];
    case "masked":
      return ["--ro-bind", "/dev/null", mount.path];
    case "readOnly":
      return ["--ro-bind", mount.source ?? mount.path, mount.path];
    case "writable":
      return ["--bind", mount.path, mount.path];
  }
}

const rank = { empty: 0, masked: 1, writable: 2, readOnly: 3 } as const;

/** By depth, so that an inner mount lies on top of an outer one; of several at one path the last in `rank` wins. */
function inMountOrder(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = byPath.get(mount.path);
    if (other === undefined || rank[mount.kind] >= rank[other.kind]) byPath.set(mount.path, mount);
  }
  return [...byPath.values()].toSorted((a, b) => depth(a.path) - depth(b.path));
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length - 1;
}
