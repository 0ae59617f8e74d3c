// The parts of the rig in their order, and which share of the time each gets.

import { clocks } from "./clocks.ts";
import { damage } from "./damage.ts";
import { failingDisk } from "./failingDisk.ts";
import { gitDeaths } from "./gitDeaths.ts";
import { fullDisk } from "./fullDisk.ts";
import { kills } from "./kills.ts";
import { merging } from "./merging.ts";
import { pages } from "./pages.ts";
import { powerCut } from "./powerCut.ts";
import { races } from "./races.ts";
import { recovery } from "./recovery.ts";
import type { Part } from "./round.ts";
import { stops } from "./stops.ts";
import { sweep } from "./sweep.ts";
import { story } from "./untouched.ts";
import { writes } from "./writes.ts";

export const parts: readonly { readonly part: Part; readonly share: number }[] = [
  { part: story, share: 1 },
  { part: merging, share: 1 },
  { part: sweep, share: 40 },
  { part: kills, share: 14 },
  { part: races, share: 2 },
  { part: pages, share: 2 },
  { part: powerCut, share: 4 },
  { part: writes, share: 4 },
  { part: recovery, share: 3 },
  { part: gitDeaths, share: 5 },
  { part: damage, share: 3 },
  { part: clocks, share: 3 },
  { part: fullDisk, share: 4 },
  { part: failingDisk, share: 4 },
  { part: stops, share: 8 },
];
