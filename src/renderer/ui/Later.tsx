// Parts of the window that its first paint does not need: their script is read once that is over, or when one is shown.

import { useEffect, useReducer, useState } from "react";
import type { ComponentType, ReactNode } from "react";

/** A component whose script may still have to be read. */
export interface Later<Props extends object> {
  (props: Props): ReactNode;
  /** Reads the script; at once where that is done. Rejects where it cannot be had: the next call tries again. */
  read(): Promise<unknown>;
}

/** How it looks meanwhile: `isLost` where the script could not be read. */
export type Meanwhile<Props> = ComponentType<Props & { readonly isLost: boolean }>;

/** The component that `load` brings; in its place `Meanwhile` until it is there. From then on it is drawn like any other. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: Meanwhile<Props>,
): Later<Props> {
  let Part: ComponentType<Props> | null = null;
  let reading: Promise<unknown> | null = null;
  function read(): Promise<unknown> {
    reading ??= load().then(
      (loaded) => (Part = loaded),
      (cause: unknown) => {
        reading = null;
        throw cause;
      },
    );
    return reading;
  }
  function Shown(props: Props) {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0);
    const [isLost, setIsLost] = useState(false);
    useEffect(() => {
      if (Part === null) read().then(drawAgain, () => setIsLost(true));
    }, []);
    return Part === null ? <Meanwhile {...props} isLost={isLost} /> : <Part {...props} />;
  }
  return Object.assign(Shown, { read });
}
