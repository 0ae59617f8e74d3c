// What reached a branch: the commit, where, and the files in it.

import type { LandingSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";

/** Files named before the rest is counted. */
const shownFileCount = 12;

export function Landings({ landed }: { readonly landed: readonly LandingSnapshot[] }) {
  if (landed.length === 0) return null;
  return (
    <section className="passage" aria-labelledby="landed-title">
      <h2 id="landed-title">Landings</h2>
      <ul className="landings">
        {landed.map((landing) => (
          <Landing key={landing.landing} landing={landing} />
        ))}
      </ul>
    </section>
  );
}

function Landing({ landing: { commit, target, files } }: { readonly landing: LandingSnapshot }) {
  const hiddenCount = files.length - shownFileCount;
  return (
    <li>
      <p className="landing-line">
        <Mark shape="landed" word="Landed" /> <code>{commit.slice(0, 7)}</code> on <code>{target}</code>
      </p>
      <ul className="files">
        {files.slice(0, shownFileCount).map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
        {hiddenCount > 0 && <li className="faint">and {hiddenCount} more</li>}
      </ul>
    </li>
  );
}
