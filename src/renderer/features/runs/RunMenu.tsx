// What is done with a run now and then: another title, a pin, the same again, its branch landed, its end.

import { Columns2, Copy, Ellipsis, GitMerge, Link, Pencil, Pin, PinOff, RotateCcw, Trash2 } from "lucide-react";
import { useCallback, useState } from "react";

import { writeDeepLink } from "../../../shared/contract/deepLink.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useHost, useReadPage, useTopicPart } from "../../client/Client.tsx";
import { Menu } from "../../ui/Menu.tsx";
import type { MenuItem } from "../../ui/Menu.tsx";
import { DeleteDialog } from "./RunDialogs.tsx";
import { keepAgain } from "./again.ts";
import { neighbourOf, queueOf } from "./attention.ts";
import { runsIn } from "./repositories.ts";
import type { RunControlsProps } from "./RunControls.tsx";
import { useChosenRepository } from "./useChosenRepository.ts";

export type RunMenuProps = Omit<RunControlsProps, "onReview">;

const iconSize = 13;

export function RunMenu({ snapshot, work: { act }, onRename, onRunAgain, onCompare, onDeleted }: RunMenuProps) {
  const { run, status } = snapshot;
  const readPage = useReadPage();
  const host = useHost();
  const [isDeleting, setIsDeleting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const chosen = useChosenRepository();
  const { isPinned, neighbour } = useTopicPart(
    "runs",
    useCallback((list) => listed(list?.runs ?? [], run, chosen), [run, chosen]),
  );
  const isOver = status === "stopped" || status === "imported";
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const items: readonly (MenuItem | false)[] = [
    { label: "Rename", icon: <Pencil size={iconSize} />, onChoose: onRename },
    isPinned
      ? {
          label: "Take the pin off",
          icon: <PinOff size={iconSize} />,
          onChoose: () => void act({ type: "pin", run, isPinned: false }),
        }
      : {
          label: "Pin: keep it whatever its age",
          icon: <Pin size={iconSize} />,
          onChoose: () => void act({ type: "pin", run, isPinned: true }),
        },
    { label: "Run again…", icon: <RotateCcw size={iconSize} />, onChoose: () => void again() },
    { label: "Compare with another run…", icon: <Columns2 size={iconSize} />, onChoose: onCompare },
    canLand(snapshot) && {
      label: `Land on ${snapshot.base.branch ?? ""}…`,
      icon: <GitMerge size={iconSize} />,
      onChoose: () => void act({ type: "land", run }),
    },
    clipboard !== undefined && {
      label: "Copy its id",
      icon: <Copy size={iconSize} />,
      onChoose: () => void clipboard.writeText(run).catch(() => undefined),
    },
    clipboard !== undefined && {
      label: "Copy link to this place",
      icon: <Link size={iconSize} />,
      onChoose: () => void clipboard.writeText(linkHere(host?.shell === "desktop")).catch(() => undefined),
    },
    // Pinned means kept: the pin comes off first.
    isOver &&
      !isPinned && {
        label: "Delete…",
        icon: <Trash2 size={iconSize} />,
        onChoose: () => setIsDeleting(true),
        isDanger: true,
      },
  ];
  async function remove(): Promise<void> {
    // As it stands now: once it is gone the list does not say what stood beside it.
    if ((await act({ type: "deleteRun", run })) !== null) onDeleted(neighbour);
  }
  async function again(): Promise<void> {
    const read = await readPage("assignment", { run });
    if (!read.ok) return setFailure(read.error);
    keepAgain(sessionStorage, read.value);
    onRunAgain();
  }
  return (
    <>
      <Menu label="More about this run" items={items.filter((item) => item !== false)}>
        <Ellipsis size={15} aria-hidden="true" />
      </Menu>
      {failure !== null && (
        <span className="bad one" role="alert">
          {failure.message}
        </span>
      )}
      {isDeleting && (
        <DeleteDialog snapshot={snapshot} onAct={() => void remove()} onClose={() => setIsDeleting(false)} />
      )}
    </>
  );
}

/** What the list knows of a run. */
function listed(runs: readonly RunListItem[], run: RunId, repository: string | null) {
  const isPinned = runs.find((one) => one.run === run)?.isPinned === true;
  return { isPinned, neighbour: neighbourOf(queueOf(runs, runsIn(runs, repository)), run) };
}

/** What leads back to what is looked at: a link that the desktop follows, or the page's own address. */
function linkHere(isDesktop: boolean): string {
  const { search, href } = window.location;
  return (isDesktop ? writeDeepLink(search) : null) ?? href;
}

/** A stopped run whose work lies on a branch of its own can be put to one review for the branch that it began at. */
function canLand({ status, landed, base, target, approvals }: RunSnapshot): boolean {
  return (
    status === "stopped" &&
    landed.length > 0 &&
    base.branch !== null &&
    base.branch !== target &&
    approvals.length === 0 &&
    // Landed there already, as a whole.
    !landed.some((one) => one.agent === "lead" && one.target === base.branch)
  );
}
