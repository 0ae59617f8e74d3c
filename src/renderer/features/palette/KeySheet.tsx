// The sheet of keyboard shortcuts: what can be done here by key, by where the keys hold.

import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";

import { Key } from "../../ui/Key.tsx";

export interface SheetGroup {
  readonly title: string;
  readonly rows: readonly { readonly id: string; readonly title: string; readonly keys: string }[];
}

export interface KeySheetProps {
  readonly groups: readonly SheetGroup[];
  readonly onClose: () => void;
  readonly onChange: () => void;
  readonly isOwnKey: (event: KeyboardEvent) => boolean;
}

export function KeySheet({ groups, onClose, onChange, isOwnKey }: KeySheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The dialog would give the focus to its first stop, which only scrolls.
    element?.querySelector<HTMLElement>("button[type=submit]")?.focus();
    return () => element?.close();
  }, []);
  return (
    // The keys that opened it close it, wherever in it the focus is.
    <dialog
      className="dialog sheet"
      ref={dialog}
      aria-labelledby="sheet-title"
      onClose={(event) => {
        // An effect that runs twice closes and opens it; the event of that comes when it is open again.
        if (!event.currentTarget.open) onClose();
      }}
      onKeyDown={(event) => {
        if (!isOwnKey(event)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="sheet-title">Keyboard shortcuts</h2>
      {/* It scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="sheet-groups" role="region" aria-label="All shortcuts" tabIndex={0}>
        {groups.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map((row) => (
                <div key={row.id}>
                  <dt>{row.title}</dt>
                  <dd>
                    <kbd>{row.keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog" className="dialog-acts">
        <button type="button" className="btn large" onClick={onChange}>
          Change them…
        </button>
        <button type="submit" className="btn large main">
          Close <Key name="Esc" />
        </button>
      </form>
    </dialog>
  );
}
