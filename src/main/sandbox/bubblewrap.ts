// Owns the translation of a sandbox layout into bubblewrap's arguments. Pure: it looks at no disk and starts nothing.

import { inMountOrder, type Layout, type Mount } from "./mounts.ts";

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
