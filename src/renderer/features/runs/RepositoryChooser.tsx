// The head of the list: whose runs it shows, those of one repository or of all, and the way to another one.

import { ChevronDown, Folder, FolderOpen, FolderPlus } from "lucide-react";
import { useState } from "react";

import { Menu } from "../../ui/Menu.tsx";
import { FolderDialog } from "../FolderDialog.tsx";
import { useChooseFolder } from "../FolderField.tsx";
import type { ListedRepository } from "./repositories.ts";
import { chooseRepository } from "./useChosenRepository.ts";

const iconSize = 13;

export interface RepositoryChooserProps {
  /** All that runs have worked in; one at least. */
  readonly repositories: readonly ListedRepository[];
  /** `null`: all of them. */
  readonly chosen: string | null;
  /** Where another run is to begin. */
  readonly onOpen: (folder: string) => void;
}

export function RepositoryChooser({ repositories, chosen, onOpen }: RepositoryChooserProps) {
  const [isAsking, setIsAsking] = useState(false);
  const choose = useChooseFolder(onOpen);
  const [first] = repositories;
  const isSingle = repositories.length === 1;
  const shown = repositories.find(({ path }) => path === chosen) ?? (isSingle ? first : undefined);
  const name = shown?.name ?? "All runs";
  return (
    <>
      <Menu
        label={shown === undefined ? name : `Runs of ${name}`}
        tip={shown?.path ?? "The runs of all repositories"}
        items={[
          ...(isSingle
            ? []
            : [
                {
                  label: "All repositories",
                  icon: <FolderOpen size={iconSize} />,
                  isChosen: shown === undefined,
                  onChoose: () => chooseRepository(null),
                },
              ]),
          ...repositories.map(({ path, name: label, runCount, waitingCount }) => ({
            label,
            note: waitingCount === 0 ? String(runCount) : `${waitingCount} of ${runCount} need you`,
            icon: <Folder size={iconSize} />,
            isChosen: path === shown?.path,
            onChoose: () => chooseRepository(path),
          })),
          {
            label: "Open another…",
            icon: <FolderPlus size={iconSize} />,
            onChoose: () => (choose === null ? setIsAsking(true) : void choose()),
          },
        ]}
      >
        <b className="one">{name}</b>
        <ChevronDown size={14} aria-hidden="true" />
      </Menu>
      {isAsking && (
        <FolderDialog title="Open a repository" act="Open" onFolder={onOpen} onClose={() => setIsAsking(false)}>
          A new run is laid out there. Nothing is spent, and nothing written, before you start it.
        </FolderDialog>
      )}
    </>
  );
}
