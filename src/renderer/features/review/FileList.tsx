// The files of a change set: what each gains and loses, its hunks as pips, whether it was viewed, and why it may not land unasked.

import { Check } from "lucide-react";

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { Key } from "../../ui/Key.tsx";
import { hunkKey } from "./selection.ts";
import type { HunkKey } from "./selection.ts";

export interface FileListProps {
  readonly files: readonly ChangedFile[];
  readonly path: string | null;
  readonly rejected: ReadonlySet<HunkKey>;
  readonly viewed: ReadonlySet<string>;
  readonly onChoose: (path: string) => void;
}

/** Pips drawn for one file; more hunks than that are a number. */
const maxPips = 12;

export function FileList({ files, path, rejected, viewed, onChoose }: FileListProps) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <nav className="review-files" aria-label="Files">
      <h2>
        {files.length} {files.length === 1 ? "file" : "files"}
        <span className="push fig">
          <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
        </span>
      </h2>
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="file"
              aria-current={file.path === path}
              onClick={() => onChoose(file.path)}
            >
              <FileCells file={file} rejected={rejected} isViewed={viewed.has(file.path)} />
            </button>
          </li>
        ))}
      </ul>
      <p className="review-files-foot">
        {viewed.size} of {files.length} viewed <Key name="l" /> next <Key name="m" /> viewed
      </p>
    </nav>
  );
}

interface FileCellsProps extends Pick<FileListProps, "rejected"> {
  readonly file: ChangedFile;
  readonly isViewed: boolean;
}

function FileCells({ file, rejected, isViewed }: FileCellsProps) {
  const { path, from, change, added, removed, hunkCount, asks } = file;
  const cut = path.lastIndexOf("/") + 1;
  const numbers = Array.from({ length: hunkCount }, (_, index) => index + 1);
  const rejectedCount = numbers.filter((number) => rejected.has(hunkKey({ path, number }))).length;
  return (
    <>
      <span className="file-name one" title={from === undefined ? path : `${from} → ${path}`}>
        {isViewed && <Check size={12} role="img" aria-label="viewed" />}
        <b>{path.slice(cut)}</b>
        {change !== "modified" && <span className="file-change">{change}</span>}
      </span>
      <span className="file-counts fig">
        <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
      </span>
      <span className="file-folder one">
        {asks === "PROTECTED_PATH"
          ? "protected path"
          : asks === "OUTSIDE_PATHS"
            ? "outside its paths"
            : path.slice(0, cut)}
      </span>
      <span className="pips">
        {hunkCount <= maxPips &&
          numbers.map((number) => (
            <i
              key={number}
              className="pip"
              data-rejected={rejected.has(hunkKey({ path, number }))}
              aria-hidden="true"
            />
          ))}
        <span className={hunkCount <= maxPips ? "heard" : ""}>
          {hunkCount - rejectedCount} of {hunkCount} accepted
        </span>
      </span>
    </>
  );
}
