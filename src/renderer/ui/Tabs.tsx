// Tabs by role: one tab stop, arrow keys walk and select. The panel is the caller's, under `panelId`.

import type { KeyboardEvent } from "react";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Shown behind the label; `null` for none. */
  readonly count: number | null;
}

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly selected: Name;
  readonly panelId: string;
  readonly onSelect: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, tabs, selected, panelId, onSelect }: TabsProps<Name>) {
  function walk(event: KeyboardEvent<HTMLElement>): void {
    const at = tabs.findIndex(({ name }) => name === selected);
    const last = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    onSelect(target.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${target.name}"]`)?.focus();
  }
  return (
    <div className="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={walk}>
      {tabs.map(({ name, label, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${panelId}-${name}`}
          data-tab={name}
          aria-selected={name === selected}
          aria-controls={panelId}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {label}
          {count !== null && <span className="tab-count"> {count}</span>}
        </button>
      ))}
    </div>
  );
}
