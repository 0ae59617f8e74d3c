// Asks for a folder, and says what for. Modal for as long as it is mounted; nothing is done before it is answered. Lies beside
// the features because several of them ask.

import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";

import { FolderField } from "./FolderField.tsx";

export interface FolderDialogProps {
  readonly title: string;
  /** What becomes of the folder. */
  readonly children: ReactNode;
  readonly act: string;
  readonly onFolder: (folder: string) => void;
  readonly onClose: () => void;
}

export function FolderDialog({ title, children, act, onFolder, onClose }: FolderDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [folder, setFolder] = useState("");
  const [titleId, fieldId] = [useId(), useId()];
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  function answer(event: FormEvent): void {
    event.preventDefault();
    dialog.current?.close();
    onFolder(folder.trim());
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={answer}>
        <h2 id={titleId}>{title}</h2>
        <p>{children}</p>
        <label htmlFor={fieldId} className="dialog-label small">
          Folder
        </label>
        <FolderField id={fieldId} folder={folder} onFolder={setFolder} />
        <div className="dialog-acts">
          <button type="button" className="btn large" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="btn main large" disabled={folder.trim() === ""}>
            {act}
          </button>
        </div>
      </form>
    </dialog>
  );
}
