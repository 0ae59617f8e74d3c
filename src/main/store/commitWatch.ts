// Notices commits of other processes by PRAGMA data_version. The only poll of the store, and only while someone listens.

import type { Connection } from "./openDatabase.ts";

const pollMs = 250;

/** Returns a switch. While it is on, `onCommit` is called within 250 ms of a commit that did not go through `db`: on the writing connection that means another process. */
export function watchCommits(db: Connection, onCommit: () => void): (isOn: boolean) => void {
  const read = (): unknown => db.pragma("data_version", { simple: true });
  let seen: unknown;
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    const version = read();
    if (version === seen) return;
    seen = version;
    onCommit();
  };
  return (isOn) => {
    if (timer) clearInterval(timer);
    timer = null;
    if (!isOn) return;
    seen = read();
    timer = setInterval(look, pollMs);
  };
}
