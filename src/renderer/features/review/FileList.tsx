// The files of a change set: what each gains and loses, its hunks as pips, whether it was viewed, and why it may not land unasked.

import { Check, MessageSquare, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { Key } from "../../ui/Key.tsx";
import { revealedText } from "../../ui/terminalText.ts";
import { AskingIcon } from "./AskingIcon.tsx";
import { HunkPips } from "./HunkPips.tsx";
import { LineCounts } from "./LineCounts.tsx";
import type { ReviewDraft } from "./draft.ts";
import { askingWords, changeWord } from "./fileWords.ts";
import { hunkKey } from "./selection.ts";
import type { HunkKey } from "./selection.ts";

export interface FileListProps {
  readonly files: readonly ChangedFile[];
  readonly path: string | null;
  readonly draft: ReviewDraft;
  readonly rejected: ReadonlySet<HunkKey>;
  /** Files that others change, too, with who it is. */
  readonly overlaps: ReadonlyMap<string, string>;
  readonly conflicts: readonly string[];
  /** Of those, the ones in which every place is chosen. */
  readonly resolved: readonly string[];
  readonly onChoose: (path: string) => void;
}

/** Pips drawn for one file; more hunks than that are a number. */
const maxPips = 12;

export function FileList({ files, path, draft, rejected, overlaps, conflicts, resolved, onChoose }: FileListProps) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (path === null) return;
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <nav className="review-files" aria-label="Files">
      <h2>
        {files.length} {files.length === 1 ? "file" : "files"}
        <span className="push fig">
          <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
        </span>
      </h2>
      <ul ref={list}>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="file"
              aria-current={file.path === path}
              onClick={() => onChoose(file.path)}
            >
              <FileCells
                file={file}
                rejected={rejected}
                isViewed={draft.viewed.includes(file.path)}
                commentCount={draft.comments.filter((one) => one.path === file.path).length}
                draft={draft}
                overlap={overlaps.get(file.path) ?? null}
                conflict={resolved.includes(file.path) ? "resolved" : conflicts.includes(file.path) ? "open" : null}
              />
            </button>
          </li>
        ))}
      </ul>
      <p className="review-files-foot">
        <span>
          {files.filter((file) => draft.viewed.includes(file.path)).length} of {files.length} viewed
        </span>{" "}
        <span>
          <Key name="l" of="review.nextFile" /> next
        </span>{" "}
        <span>
          <Key name="m" of="review.viewed" /> viewed
        </span>
      </p>
    </nav>
  );
}

interface FileCellsProps extends Pick<FileListProps, "rejected"> {
  readonly file: ChangedFile;
  readonly isViewed: boolean;
  readonly commentCount: number;
  readonly draft: ReviewDraft;
  readonly overlap: string | null;
  readonly conflict: "open" | "resolved" | null;
}

function FileCells({ file, rejected, isViewed, commentCount, draft, overlap, conflict }: FileCellsProps) {
  const { path, from } = file;
  const cut = path.lastIndexOf("/") + 1;
  const word = changeWord(file);
  return (
    <>
      <span className="viewed-box" data-viewed={isViewed}>
        {isViewed && <Check size={11} role="img" aria-label="viewed" />}
      </span>
      <span className="file-name one" title={from === undefined ? path : `${from} → ${path}`}>
        <b>{revealedText(path.slice(cut))}</b>
        {word !== "" && <span className="file-change">{word}</span>}
        {commentCount > 0 && (
          <span className="file-comments fig">
            <MessageSquare size={11} role="img" aria-label="comments" /> {commentCount}
          </span>
        )}
      </span>
      <LineCounts file={file} className="file-counts fig" />
      <FileNote file={file} folder={revealedText(path.slice(0, cut))} overlap={overlap} conflict={conflict} />
      <Pips file={file} rejected={rejected} draft={draft} />
    </>
  );
}

interface FileNoteProps extends Pick<FileCellsProps, "file" | "overlap" | "conflict"> {
  readonly folder: string;
}

/** What is most to be known of it. */
function FileNote({ file: { asks, from }, folder, overlap, conflict }: FileNoteProps) {
  if (conflict === "resolved")
    return (
      <span className="file-folder one good">
        <Check size={10} aria-hidden="true" /> conflict resolved
      </span>
    );
  if (conflict === "open")
    return (
      <span className="file-folder one bad">
        <TriangleAlert size={10} aria-hidden="true" /> in conflict
      </span>
    );
  if (asks !== undefined)
    return (
      <span className="file-folder one">
        <AskingIcon asks={asks} size={10} /> {askingWords[asks][0]}
      </span>
    );
  return (
    <span className="file-folder one">
      {overlap === null ? (from === undefined ? folder : `from ${revealedText(from)}`) : `also by ${overlap}`}
    </span>
  );
}

function Pips({ file, rejected, draft }: Pick<FileCellsProps, "file" | "rejected" | "draft">) {
  const { path, hunkCount } = file;
  const numbers = Array.from({ length: hunkCount }, (_, index) => index + 1);
  const rejectedCount = numbers.filter((number) => rejected.has(hunkKey({ path, number }))).length;
  return (
    <span className="pips">
      {hunkCount <= maxPips && <HunkPips file={file} draft={draft} rejected={rejected} />}
      <span className={hunkCount <= maxPips ? "heard" : ""}>
        {hunkCount - rejectedCount} of {hunkCount} accepted
      </span>
    </span>
  );
}
