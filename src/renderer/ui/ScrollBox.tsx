// A part of the screen that scrolls by itself. What scrolls must be reachable by keyboard, even with nothing in it to press.

import type { ReactNode } from "react";

export interface ScrollBoxProps {
  readonly className: string;
  readonly label: string;
  readonly children: ReactNode;
}

export function ScrollBox({ className, label, children }: ScrollBoxProps) {
  return (
    // As above: scrolling is what the focus is for.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
