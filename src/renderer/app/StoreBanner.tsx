// Says so when nothing can be written: the disk is full, or the journal is damaged and only read. What is shown stays.

import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import { useTopicPart } from "../client/Client.tsx";
import { Mark } from "../ui/Mark.tsx";

export function StoreBanner() {
  const trouble = useTopicPart("runs", troubleOf);
  // The live region stays in the page, so that what appears in it is spoken.
  return (
    <div className="banner-place" role="alert">
      {trouble !== undefined && (
        <div className="banner">
          <Mark shape="failed" word={trouble.code === "STORE_CORRUPT" ? "Read only" : "Nothing can be written"} />
          <span className="banner-text">{trouble.message}</span>
        </div>
      )}
    </div>
  );
}

function troubleOf(list: RunListSnapshot | null): RunListSnapshot["trouble"] {
  return list?.trouble;
}
