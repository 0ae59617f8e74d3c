// A folder of the machine that the application runs on: typed with suggestions, or chosen in the system's own dialog where
// there is one. Lies beside the features because several of them ask for one.

import { Folder } from "lucide-react";
import { useEffect, useId, useState } from "react";

import { useCallHost, useHost, useReadPage } from "../client/Client.tsx";

export interface FolderFieldProps {
  readonly id: string;
  readonly folder: string;
  readonly onFolder: (folder: string) => void;
}

/** So long after the last letter folders are looked for, ms. */
const restMs = 250;

export function FolderField({ id, folder, onFolder }: FolderFieldProps) {
  const listId = useId();
  const known = useFolders(folder);
  const choose = useChooseFolder(onFolder);
  return (
    <div className="repository-row">
      <input
        id={id}
        className="code-input"
        list={listId}
        value={folder}
        placeholder="/home/you/projects/shop"
        spellCheck={false}
        onChange={(event) => onFolder(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {known.map(({ path, isRepository }) => (
          <option key={path} value={path}>
            {isRepository ? "repository" : "folder"}
          </option>
        ))}
      </datalist>
      {choose !== null && (
        <button type="button" className="btn" onClick={() => void choose()}>
          <Folder size={13} aria-hidden="true" /> Choose…
        </button>
      )}
    </div>
  );
}

function useFolders(typed: string) {
  const readPage = useReadPage();
  const [folders, setFolders] = useState<readonly { readonly path: string; readonly isRepository: boolean }[]>([]);
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      void readPage("folders", { typed }).then((answer) => {
        if (isWanted) setFolders(answer.ok ? answer.value.folders.filter(({ path }) => path !== typed) : []);
      });
    }, restMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [typed, readPage]);
  return folders;
}

/** Opens the system's dialog; `null` where there is none. */
export function useChooseFolder(onFolder: (folder: string) => void): (() => Promise<void>) | null {
  const callHost = useCallHost();
  const canChoose = useHost()?.can.includes("chooseFolder") === true;
  if (!canChoose) return null;
  return async () => {
    const answer = await callHost({ kind: "chooseFolder" });
    if (answer.ok && answer.value.folder !== null) onFolder(answer.value.folder);
  };
}
