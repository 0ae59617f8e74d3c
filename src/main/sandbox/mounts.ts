// Owns what a sandbox shows of the disk, in words that bubblewrap and Seatbelt both translate. Pure: it looks at no disk.
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

const rank = { empty: 0, masked: 1, writable: 2, readOnly: 3 } as const;

/** By depth, so that an inner mount lies on top of an outer one; of several at one path the last in `rank` wins. */
export function inMountOrder(mounts: readonly Mount[]): readonly Mount[] {
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
