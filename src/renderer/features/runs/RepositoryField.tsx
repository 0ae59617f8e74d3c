// The repository of a new run: chosen among those used before, by its path, or in the system's own dialog; and what a run
// would find there.

import { Folder, GitBranch } from "lucide-react";
import { useCallback, useEffect, useId, useState } from "react";

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useCallHost, useReadPage } from "../../client/Client.tsx";
import { countOf } from "../../ui/formats.ts";
import { BroughtCommands } from "./BroughtCommands.tsx";

export interface RepositoryFieldProps {
  readonly id: string;
  readonly folder: string;
  readonly found: FoundRepository;
  readonly onFolder: (folder: string) => void;
  readonly includesDirty: boolean;
  readonly onIncludesDirty: (includesDirty: boolean) => void;
  readonly skipsCommands: boolean;
  readonly onSkipsCommands: (skipsCommands: boolean) => void;
}

export function RepositoryField(props: RepositoryFieldProps) {
  const { id, folder, found, onFolder } = props;
  const listId = useId();
  const known = useFolders(folder);
  const choose = useChooseFolder(onFolder);
  const { page, failure } = found;
  return (
    <div className="repository-field">
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
      {failure !== null && <p className="bad small">{failure.message}</p>}
      {page !== null && <Base page={page} />}
      {page !== null && page.dirtyCount > 0 && (
        <Dirty page={page} isIncluded={props.includesDirty} onIncluded={props.onIncludesDirty} />
      )}
      {page !== null && (
        <BroughtCommands
          page={page}
          isSkipped={props.skipsCommands}
          onSkipped={props.onSkipsCommands}
          onTrusted={found.lookAgain}
        />
      )}
    </div>
  );
}

function Base({ page }: { readonly page: RepositoryPage }) {
  return (
    <p className="base small">
      <GitBranch size={13} aria-hidden="true" />
      <b>{page.branch ?? "no branch"}</b> <code>{page.head.slice(0, 7)}</code>{" "}
      <span className="faint one">{page.subject}</span>
    </p>
  );
}

interface DirtyProps {
  readonly page: RepositoryPage;
  readonly isIncluded: boolean;
  readonly onIncluded: (isIncluded: boolean) => void;
}

function Dirty({ page, isIncluded, onIncluded }: DirtyProps) {
  const { dirtyCount, dirty, head } = page;
  const files = countOf(dirtyCount, "changed file");
  const [is, them] = dirtyCount === 1 ? ["is", "it"] : ["are", "them"];
  return (
    <div className="dirty-note small">
      <p>
        {isIncluded ? (
          <>
            <b>{files} go along.</b> Subagents see {them} as you have {them} now; your own stay as they are.
          </>
        ) : (
          <>
            <b>
              {files} {is} not in {head.slice(0, 7)}.
            </b>{" "}
            Subagents won’t see {them}. They stay as they are, and a landing that would touch one waits and says so.
          </>
        )}
      </p>
      <label className="toggle">
        <input type="checkbox" checked={isIncluded} onChange={(event) => onIncluded(event.currentTarget.checked)} />
        Include my changes
      </label>
      <details>
        <summary>Show {dirtyCount > dirty.length ? `the first ${dirty.length}` : `the ${dirtyCount}`}</summary>
        <ul>
          {dirty.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

export interface FoundRepository {
  readonly page: RepositoryPage | null;
  readonly failure: Failure | null;
  /** Looks once more, at once. */
  readonly lookAgain: () => void;
}

/** So long after the last letter the folder is looked at, ms. */
const restMs = 250;
const nothing = { page: null, failure: null };

/** What a run would find in this folder. */
export function useRepository(folder: string): FoundRepository {
  const readPage = useReadPage();
  const [version, setVersion] = useState(0);
  const lookAgain = useCallback(() => setVersion((before) => before + 1), []);
  const [found, setFound] = useState<Omit<FoundRepository, "lookAgain"> & { readonly folder: string }>({
    ...nothing,
    folder: "",
  });
  useEffect(() => {
    if (folder === "") return undefined;
    let isWanted = true;
    const look = () =>
      void readPage("repository", { folder }).then((answer) => {
        if (!isWanted) return;
        setFound(
          answer.ok ? { folder, page: answer.value, failure: null } : { folder, page: null, failure: answer.error },
        );
      });
    const timer = setTimeout(look, version === 0 ? restMs : 0);
    // Whoever comes back from an editor sees what they have changed there.
    window.addEventListener("focus", look);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      window.removeEventListener("focus", look);
    };
  }, [folder, readPage, version]);
  return { ...(found.folder === folder ? found : nothing), lookAgain };
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
function useChooseFolder(onFolder: (folder: string) => void): (() => Promise<void>) | null {
  const callHost = useCallHost();
  const [canChoose, setCanChoose] = useState(false);
  useEffect(() => {
    let isShown = true;
    void callHost({ kind: "describe" }).then((answer) => {
      if (isShown) setCanChoose(answer.ok && answer.value.can.includes("chooseFolder"));
    });
    return () => void (isShown = false);
  }, [callHost]);
  if (!canChoose) return null;
  return async () => {
    const answer = await callHost({ kind: "chooseFolder" });
    if (answer.ok && answer.value.folder !== null) onFolder(answer.value.folder);
  };
}
