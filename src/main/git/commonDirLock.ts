// Serialises what this process does to one repository, known by the real path of its common dir. Between processes,
// git's own ref and index locks decide; this never waits on them.

const tails = new Map<string, Promise<unknown>>();

/** Runs `work` when all earlier work on this common dir has ended, whatever became of that. Not re-entrant. */
export async function withCommonDirLock<T>(commonDir: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(commonDir) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(commonDir, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(commonDir) === mine) tails.delete(commonDir);
  }
}
