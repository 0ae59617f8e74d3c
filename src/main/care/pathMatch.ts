// Which paths somebody means who types a few letters of one. Pure.

/** The paths, folders among them, that fit what was typed, best first: by name before by path, whole parts before scattered letters. */
export function bestPaths(paths: readonly string[], typed: string, limit: number): readonly string[] {
  const wanted = typed.toLowerCase();
  const scored = [...withFolders(paths)].flatMap((path) => {
    const score = scoreOf(path.toLowerCase(), wanted);
    return score === null ? [] : [{ path, score }];
  });
  return scored
    .toSorted(
      (left, right) =>
        left.score - right.score || left.path.length - right.path.length || (left.path < right.path ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ path }) => path);
}

function withFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of paths) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) all.add(path.slice(0, at + 1));
  }
  return all;
}

/** Lower is better; `null`: the letters do not all come, in order. */
function scoreOf(path: string, wanted: string): number | null {
  if (wanted === "") return path.split("/").length;
  const name = path.replace(/\/$/, "").split("/").at(-1) ?? path;
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (path.startsWith(wanted)) return 2;
  if (name.includes(wanted)) return 3;
  if (path.includes(wanted)) return 4;
  return isScattered(path, wanted) ? 5 : null;
}

function isScattered(path: string, wanted: string): boolean {
  let at = 0;
  for (const letter of path) if (letter === wanted[at]) at += 1;
  return at === wanted.length;
}
