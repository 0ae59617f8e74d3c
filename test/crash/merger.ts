// Merges the same outcomes in many orders of arrival, in the locale and time zone that it is started with, and prints each
// distinct order that comes of it: one line when merging is deterministic.

import { inMergingOrder, type Outcome } from "../../src/main/domain/merge.ts";

const [seed = "1", rounds = "100"] = process.argv.slice(2);
const roles = ["executor", "explorer", "Éxplorer", "zeta", "Zeta", "ı"];
const outcomes: readonly Outcome[] = Array.from({ length: 12 }, (_, index) => ({
  step: index % 3 === 0 ? null : `step-${index % 5}`,
  role: roles[index % roles.length] ?? "",
  ordinal: 1 + (index % 4),
  id: `subagent-${index + 1}`,
}));

let state = Number(seed) >>> 0;
/** A small generator of its own, so that a seed names the same orders everywhere. */
function next(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const orders = new Set<string>();
for (let round = 0; round < Number(rounds); round += 1) {
  const arrived: Outcome[] = [];
  for (const outcome of outcomes) arrived.splice(next(arrived.length + 1), 0, outcome);
  orders.add(
    inMergingOrder(arrived)
      .map(({ id }) => id)
      .join(" "),
  );
}
for (const order of orders) process.stdout.write(`${order}\n`);
