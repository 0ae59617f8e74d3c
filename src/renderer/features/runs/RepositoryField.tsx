// The repository of a new run: chosen among those used before, by its path, or in the system's own dialog; and what a run
// would find there.

import { GitBranch } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useReadPage } from "../../client/Client.tsx";
import { countOf } from "../../ui/formats.ts";
import { FolderField } from "../FolderField.tsx";
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
  const { page, failure } = found;
  return (
    <div className="repository-field">
      <FolderField id={id} folder={folder} onFolder={onFolder} />
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
        <summary>Show {dirtyCount > dirty.length ? `the first ${dirty.length}` : them}</summary>
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
  /** Looks at this folder once more, at once. */
  readonly lookAgain: () => void;
}

/** So long after the last letter the folder is looked at, ms. */
const restMs = 250;
const nothing = { page: null, failure: null };

/** What a run would find in this folder. */
export function useRepository(folder: string): FoundRepository {
  const readPage = useReadPage();
  const looking = useRef<(() => void) | null>(null);
  const lookAgain = useCallback(() => looking.current?.(), []);
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
    looking.current = look;
    const timer = setTimeout(look, restMs);
    // Whoever comes back from an editor sees what they have changed there.
    window.addEventListener("focus", look);
    return () => {
      isWanted = false;
      looking.current = null;
      clearTimeout(timer);
      window.removeEventListener("focus", look);
    };
  }, [folder, readPage]);
  return { ...(found.folder === folder ? found : nothing), lookAgain };
}
