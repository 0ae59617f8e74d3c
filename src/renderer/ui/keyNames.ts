// What the keys of actions are called where a person has other ones than the usual. Provided by whoever knows a person's
// keys; without that they are the usual ones.

import { createContext, use } from "react";

export interface KeyName {
  /** As people read it; empty: there is none any more. */
  readonly shown: string;
  /** For `aria-keyshortcuts`. */
  readonly heard: string;
}

/** The name of an action's own keys, by its id; `null`: it has the usual ones. */
export type NameKeys = (action: string) => KeyName | null;

export const KeyNames = createContext<NameKeys>(() => null);

/** For `aria-keyshortcuts`: the action's own keys, else `usual`; nothing where it has none. */
export function useHeardKeys(action: string, usual: string): string | undefined {
  const heard = use(KeyNames)(action)?.heard ?? usual;
  return heard === "" ? undefined : heard;
}
