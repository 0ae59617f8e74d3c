// The command palette: everything that can be done now, and every run, by a few letters of its name. The field keeps the
// focus; arrows walk the list, Enter does it, Escape leaves.

import { Search } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, SyntheticEvent } from "react";

import { Key } from "../../ui/Key.tsx";
import { bestOf } from "./rank.ts";

export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  /** Shown beside it, and found too: a run's repository, a group. */
  readonly about: string;
  /** As people read them; empty for none. */
  readonly keys: string;
  readonly run: () => void;
}

export interface PaletteProps {
  readonly items: readonly PaletteItem[];
  readonly onClose: () => void;
  /** Keys that close it as they opened it. */
  readonly isOwnKey: (event: KeyboardEvent) => boolean;
}

const maxShown = 50;

/** An effect that runs twice closes and opens it; the event of that comes when it is open again. */
function ignoreReopened(onClose: () => void): (event: SyntheticEvent<HTMLDialogElement>) => void {
  return (event) => {
    if (!event.currentTarget.open) onClose();
  };
}

export function Palette({ items, onClose, isOwnKey }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const found = useMemo(
    () => bestOf(items, typed, ({ title, about }) => `${title} ${about}`).slice(0, maxShown),
    [items, typed],
  );
  const chosen = found[Math.min(at, found.length - 1)];

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  function act(item: PaletteItem | undefined): void {
    if (item === undefined) return;
    // Closed first: the dialog gives the focus back, and what is done may want it.
    dialog.current?.close();
    onClose();
    item.run();
  }
  function press(event: KeyboardEvent): void {
    const last = found.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(at + 8, last),
      PageUp: Math.max(at - 8, 0),
    };
    const step = steps[event.key];
    if (step !== undefined) setAt(Math.max(step, 0));
    else if (event.key === "Enter") act(chosen);
    else if (isOwnKey(event)) onClose();
    else return;
    event.preventDefault();
  }

  return (
    <dialog className="dialog palette" ref={dialog} aria-label="Command palette" onClose={ignoreReopened(onClose)}>
      <label className="palette-field">
        <Search size={15} aria-hidden="true" />
        <span className="heard">What to do, or which run</span>
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
          aria-autocomplete="list"
          placeholder="What to do, or which run"
          spellCheck={false}
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </label>
      <PaletteList id={id} found={found} chosen={chosen} onAct={act} />
      {found.length === 0 && (
        <p className="palette-none" role="status">
          Nothing is called that. Words inside runs are found by searching everything.
        </p>
      )}
    </dialog>
  );
}

interface PaletteListProps {
  readonly id: string;
  readonly found: readonly PaletteItem[];
  readonly chosen: PaletteItem | undefined;
  readonly onAct: (item: PaletteItem) => void;
}

function PaletteList({ id, found, chosen, onAct }: PaletteListProps) {
  const chosenId = chosen === undefined ? null : `${id}-${chosen.id}`;
  useEffect(() => {
    if (chosenId !== null) document.getElementById(chosenId)?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);
  return (
    <div className="palette-list" role="listbox" id={id} aria-label="What fits">
      {found.map((item) => (
        // The field above has the keys of all options.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={item.id}
          id={`${id}-${item.id}`}
          role="option"
          aria-selected={item === chosen}
          tabIndex={-1}
          className="palette-item"
          onClick={() => onAct(item)}
        >
          <span className="one">{item.title}</span>
          <span className="faint one small">{item.about}</span>
          {item.keys !== "" && <Key name={item.keys} />}
        </div>
      ))}
    </div>
  );
}
