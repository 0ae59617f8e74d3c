// What a command of the terminal is given beside its own options: where it was given, what it acts on, where it writes.

import type { Workbench } from "../../workbench.ts";
import type { Output } from "./output.ts";

/** Where a command was given. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the person stands. */
  readonly folder: string;
  /** Somebody sits at a terminal and can be asked there. */
  readonly isAttended: boolean;
}

export interface Invocation extends Surroundings {
  readonly workbench: Workbench;
  readonly output: Output;
}
