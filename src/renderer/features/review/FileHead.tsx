// The head of the file that is shown: its name, what it gains and loses, whether it was viewed.

import { Check } from "lucide-react";
import { useState } from "react";

import type { WorkPlace } from "../../../shared/contract/host.ts";
import type { ChangedFile } from "../../../shared/contract/pages.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { Key } from "../../ui/Key.tsx";
import { useHeardKeys } from "../../ui/keyNames.ts";
import { revealedText } from "../../ui/terminalText.ts";
import { OpenInEditor } from "../OpenInEditor.tsx";
import { AskingIcon } from "./AskingIcon.tsx";
import { setViewed } from "./draft.ts";
import { LineCounts } from "./LineCounts.tsx";
import { askingWords, changeWord } from "./fileWords.ts";
import type { ChangeDraft } from "./useDraft.ts";

export interface FileHeadProps {
  readonly file: ChangedFile;
  readonly isViewed: boolean;
  /** Rows that are here while more are being read; `null` once all are. */
  readonly readCount: number | null;
  readonly rowCount: number;
  /** The worktree in which the file stands as it is proposed; `null`: it is gone. */
  readonly worktree: WorkPlace | null;
  readonly change: ChangeDraft;
}

export function FileHead({ file, isViewed, readCount, rowCount, worktree, change }: FileHeadProps) {
  const { path, asks } = file;
  const [failure, setFailure] = useState<Failure | null>(null);
  const cut = path.lastIndexOf("/") + 1;
  return (
    <header className="file-head">
      <h2 className="one" title={path}>
        {revealedText(path.slice(cut))} <span className="faint">{revealedText(path.slice(0, cut))}</span>
      </h2>
      {changeWord(file) !== "" && <span className="file-change">{changeWord(file)}</span>}
      <LineCounts file={file} className="fig" />
      {asks !== undefined && (
        <span className="file-asks">
          <AskingIcon asks={asks} size={11} />
          {askingWords[asks][1]}
        </span>
      )}
      {readCount !== null && (
        <span className="faint fig">
          {readCount.toLocaleString("en")} of {rowCount.toLocaleString("en")} lines
        </span>
      )}
      {failure !== null && (
        <span className="bad one" role="alert" title={failure.message}>
          {failure.message}
        </span>
      )}
      <span className="push file-acts">
        {worktree !== null && (
          <OpenInEditor
            place={{ ...worktree, path }}
            line={Math.max(1, file.hunks[0]?.newStart ?? 1)}
            onAnswer={setFailure}
          />
        )}
        <button
          type="button"
          className="btn"
          aria-pressed={isViewed}
          aria-keyshortcuts={useHeardKeys("review.viewed", "m")}
          onClick={() => change((draft) => setViewed(draft, path, !isViewed))}
        >
          <span className="viewed-box" aria-hidden="true">
            {isViewed && <Check size={11} />}
          </span>
          Viewed <Key name="m" of="review.viewed" />
        </button>
      </span>
    </header>
  );
}
