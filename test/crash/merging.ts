// Merging is the same whatever the order of arrival, the locale and the time zone.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { bundledNode } from "../support/commandLineBuild.ts";
import type { Bench, Part, Report } from "./round.ts";

const run = promisify(execFile);
const places = [
  { LANG: "C.UTF-8", TZ: "UTC" },
  { LANG: "sv_SE.UTF-8", TZ: "Asia/Kathmandu" },
  { LANG: "tr_TR.UTF-8", TZ: "America/St_Johns" },
];

export const merging: Part = { name: "Merging order", rows: ["M1"], run: runMerging };

async function runMerging({ build, seed, isShort }: Bench): Promise<Report> {
  const rounds = isShort ? 200 : 5_000;
  const outputs = await Promise.all(
    places.map(async (place) => {
      const { stdout } = await run(bundledNode, [build.merger, String(seed), String(rounds)], {
        env: { ...process.env, ...place },
      });
      return stdout.trim().split("\n");
    }),
  );
  const orders = new Set(outputs.flat());
  return {
    rounds: rounds * places.length,
    figures: `${orders.size} distinct results in ${places.length} locales and time zones`,
    faults: orders.size === 1 ? [] : [`merging came to ${orders.size} different orders`],
  };
}
