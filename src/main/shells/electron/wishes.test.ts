import { expect, test } from "vitest";

import type { WindowSnapshot } from "../../../shared/contract/window.ts";
import { Wishes } from "./wishes.ts";

const inbox = { kind: "go", search: "?view=inbox" } as const;

test("a wish waits for a page, and the next page does not hear it again", () => {
  const wishes = new Wishes();
  wishes.ask(inbox);
  const told: WindowSnapshot[] = [];
  const { first, unsubscribe } = wishes.watch((snapshot) => told.push(snapshot));
  expect(first).toMatchObject({ asked: [{ ...inbox, n: 1 }] });
  wishes.ask({ kind: "act", action: "run.new" });
  expect(told.at(-1)?.asked.map(({ n }) => n)).toEqual([1, 2]);
  unsubscribe();
  wishes.forgetHeard();
  wishes.ask(inbox);
  expect(wishes.watch(() => {}).first).toMatchObject({ asked: [{ ...inbox, n: 3 }] });
});
