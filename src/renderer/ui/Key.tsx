// The key of an action, shown beside it. Whoever hears the action is told the key by `aria-keyshortcuts`.

import { use } from "react";

import { KeyNames } from "./keyNames.ts";

export interface KeyProps {
  /** The usual one. */
  readonly name: string;
  /** The id of the action, where a person may have another key for it. */
  readonly of?: string;
}

export function Key({ name, of }: KeyProps) {
  const nameKeys = use(KeyNames);
  const shown = (of === undefined ? null : nameKeys(of))?.shown ?? name;
  return shown === "" ? null : <kbd aria-hidden="true">{shown}</kbd>;
}
