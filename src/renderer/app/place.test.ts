import { expect, test } from "vitest";

import type { ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import { readPlace, writePlace } from "./place.ts";
import type { Place } from "./place.ts";

const nowhere: Place = {
  view: "run",
  run: null,
  at: null,
  agent: null,
  review: null,
  entry: null,
  section: null,
  folder: null,
  beside: null,
};

test("an address leads back to the place that it was written from", () => {
  const places: readonly Place[] = [
    nowhere,
    { ...nowhere, view: "inbox" },
    { ...nowhere, view: "compare", run: "abcdefghjk" as RunId, beside: "bcdefghjkm" as RunId },
    { ...nowhere, view: "settings", section: "keys" },
    { ...nowhere, view: "new", folder: "/home/ada/a b & c" },
    { ...nowhere, run: "abcdefghjk" as RunId, agent: "lead", entry: 40 },
    {
      ...nowhere,
      run: "abcdefghjk" as RunId,
      at: 812,
      agent: "subagent-3",
      review: "abcdefghjk-c1" as ChangeSetId,
    },
  ];
  expect(places.map((place) => readPlace(writePlace(place)))).toEqual(places);
});

test("what an address says and nobody understands counts as absent", () => {
  expect(readPlace("?view=moon&run=../x&at=-3&agent=subagent-0&review=%3Cscript%3E&entry=0&section=A-b")).toEqual(
    nowhere,
  );
});
