// A button that opens a list of actions under it. Arrow keys walk, Enter or Space chooses, Escape closes and gives the focus
// back. Knows nothing of what the actions do.

import { useId, useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";

export interface MenuItem {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onChoose: () => void;
  /** Something would be lost. */
  readonly isDanger?: boolean;
  /** Of one among several to choose from: whether it holds now. */
  readonly isChosen?: boolean;
  /** A figure or a word at its end. */
  readonly note?: string;
}

export interface MenuProps {
  readonly label: string;
  /** What the pointer is told; the label where nothing is said. */
  readonly tip?: string;
  /** What the button shows. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, tip = label, children, items }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const optionsOf = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  function walk(event: KeyboardEvent): void {
    const options = optionsOf();
    const at = options.findIndex((option) => option === document.activeElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % options.length,
      ArrowUp: (at - 1 + options.length) % options.length,
      Home: 0,
      End: options.length - 1,
    };
    const target = options[targets[event.key] ?? -1];
    if (target !== undefined) target.focus();
    else if (event.key === "Tab") list.current?.hidePopover();
    else return;
    // Tab goes on from the button; the others scroll or move what lies below.
    if (target !== undefined) event.preventDefault();
    event.stopPropagation();
  }
  return (
    <>
      <button type="button" className="btn bare" aria-label={label} aria-haspopup="menu" popoverTarget={id} title={tip}>
        {children}
      </button>
      <div
        className="menu"
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onToggle={(event) => {
          if (event.newState !== "open") return;
          const options = optionsOf();
          (options.find((option) => option.ariaChecked === "true") ?? options[0])?.focus();
        }}
        onKeyDown={walk}
      >
        {items.map(({ label, icon, onChoose, isDanger, isChosen, note }) => (
          <button
            key={label}
            type="button"
            role={isChosen === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={isChosen}
            tabIndex={-1}
            data-danger={isDanger === true}
            onClick={() => {
              list.current?.hidePopover();
              onChoose();
            }}
          >
            {icon}
            {label}
            {note !== undefined && <span className="push faint fig">{note}</span>}
          </button>
        ))}
      </div>
    </>
  );
}
